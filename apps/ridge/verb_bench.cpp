// ridge bench: prefill and decode, measured beside predicted.
#include "common.h"
#include "core/error.h"
#include "core/progress.h"
#include "generation.h"
#include "lab/bench.h"
#include "lab/machine_store.h"
#include "machine.h"
#include "verb.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

namespace ridge::app {
namespace {

struct BenchFlags {
  LoadFlags load;
  BenchOptions options;
  std::string output = "table";
  bool json = false;
  std::optional<std::string> compare;
};

TableStyle style_of(const std::string& output) {
  if (output == "md") return TableStyle::markdown;
  return output == "csv" ? TableStyle::csv : TableStyle::text;
}

int measure(const BenchFlags& flags) {
  for (const std::int64_t batch : flags.options.batches) {
    if (batch < 1 || batch > 4096) throw UsageError(fmt::format("-b must be from 1 to 4096, got {}", batch));
  }
  const std::optional<Json> earlier = flags.compare ? std::optional<Json>(read_json(*flags.compare)) : std::nullopt;
  MachineModel machine = own_machine(resolve_threads(flags.load.threads));
  const LoadedModel loaded(flags.load);
  BenchOptions options = flags.options;
  options.kv_dtype = kv_dtype(flags.load);
  options.as_f32 = flags.load.weights == "f32";
  std::optional<ProgressBar> bar("bench");
  options.progress = [&](double fraction) { bar->update(fraction); };
  const Bench result = bench(machine, *loaded.device, loaded.model, *loaded.source, options);
  bar.reset();
  if (result.raised) save_machine(machine, machine_file(machine.threads));
  if (flags.json || flags.output == "json") {
    print_json(to_json(result));
  } else {
    fmt::print("{}", to_text(result, style_of(flags.output)));
    if (earlier) fmt::print("{}", compare(result, *earlier, *flags.compare, style_of(flags.output)));
  }
  return 0;
}

}  // namespace

Action declare_bench(CLI::App& command) {
  const auto flags = std::make_shared<BenchFlags>();
  BenchOptions& options = flags->options;
  add_load_flags(command, flags->load);
  command.add_option("-p,--prompt", options.prompt, "Tokens of prompt; 0: no prefill")->check(CLI::Range(0, 1 << 24));
  command.add_option("-n,--generate", options.generate, "Tokens to generate; 0: no decode")
      ->check(CLI::Range(0, 1 << 24));
  command.add_option("-d,--depth", options.depth, "Tokens in the cache when decoding begins")
      ->check(CLI::Range(0, 1 << 24));
  command.add_option("-b,--batch", options.batches, "Sequences at once, separated by commas")->delimiter(',');
  command.add_option("-r,--repetitions", options.repetitions, "Repetitions of each measurement")
      ->check(CLI::Range(1, 1000));
  command.add_option("--output", flags->output, "Form of the result")
      ->check(CLI::IsMember({"table", "md", "csv", "json"}));
  command.add_option("--compare", flags->compare, "An earlier result in JSON to compare with");
  add_json(command, flags->json);
  return [flags] { return measure(*flags); };
}

}  // namespace ridge::app
