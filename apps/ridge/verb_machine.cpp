// ridge machine: measures this machine's ceilings and the efficiencies of isolated operators, or shows what is kept.
#include "common.h"
#include "core/error.h"
#include "core/progress.h"
#include "lab/machine_store.h"
#include "machine.h"
#include "verb.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

namespace ridge::app {
namespace {

struct MachineFlags {
  int threads = 0;
  double seconds = 13;
  bool json = false;
  std::optional<std::string> out;
};

void print_machine(const MachineModel& machine, bool json) {
  if (json) {
    print_json(machine.to_json());
  } else {
    fmt::print("{}", describe_ceilings(machine));
  }
}

int measure(const MachineFlags& flags) {
  const int threads = resolve_threads(flags.threads);
  MachineModel machine;
  {
    ProgressBar bar("measuring");
    machine = measure_machine(threads, flags.seconds, [&](double fraction) { bar.update(fraction); });
  }
  std::string why_not;
  if (const auto earlier = load_machine(threads, why_not)) keep_best(machine, *earlier);
  save_machine(machine, machine_file(threads));
  if (flags.out) save_machine(machine, *flags.out);
  print_machine(machine, flags.json);
  return 0;
}

int show(const MachineFlags& flags) {
  const int threads = resolve_threads(flags.threads);
  std::string why_not;
  const auto machine = load_machine(threads, why_not);
  require(machine.has_value(), "machine: {} for {} threads; run `ridge machine measure`", why_not, threads);
  print_machine(*machine, flags.json);
  return 0;
}

}  // namespace

Action declare_machine(CLI::App& command) {
  const auto flags = std::make_shared<MachineFlags>();
  command.require_subcommand(1);
  CLI::App* measuring = command.add_subcommand("measure", "Measure and keep in the user's cache");
  CLI::App* showing = command.add_subcommand("show", "Show what is kept");
  for (CLI::App* one : {measuring, showing}) {
    add_threads(*one, flags->threads);
    add_json(*one, flags->json);
  }
  measuring->add_option("--seconds", flags->seconds, "Time to spend, in seconds")->check(CLI::Range(1.0, 600.0));
  measuring->add_option("--out", flags->out, "Write the machine to this file, too");
  return [flags, measuring] { return measuring->parsed() ? measure(*flags) : show(*flags); };
}

}  // namespace ridge::app
