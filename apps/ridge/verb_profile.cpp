// ridge profile: where the time goes, operator by operator.
#include "common.h"
#include "core/error.h"
#include "generation.h"
#include "lab/profile.h"
#include "machine.h"
#include "verb.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

namespace ridge::app {
namespace {

struct ProfileFlags {
  LoadFlags load;
  std::int64_t prompt = 512;
  std::int64_t generate = 16;
  std::int64_t batch = 1;
  std::optional<std::string> trace;
  bool json = false;
};

int run_profile(const ProfileFlags& flags) {
  const MachineModel machine = own_machine(resolve_threads(flags.load.threads));
  const LoadedModel loaded(flags.load);
  const std::vector<Phase> phases = {{.decode = false, .tokens = flags.prompt, .batch = flags.batch},
                                     {.decode = true, .tokens = flags.generate, .batch = flags.batch}};
  const Profile result =
      profile(machine, *loaded.device, loaded.model, loaded.source->name(), phases, kv_dtype(flags.load));
  if (flags.trace) write_json(*flags.trace, to_trace(result));
  if (flags.json) {
    print_json(to_json(result));
  } else {
    fmt::print("{}", to_text(result));
  }
  return 0;
}

}  // namespace

Action declare_profile(CLI::App& command) {
  const auto flags = std::make_shared<ProfileFlags>();
  add_load_flags(command, flags->load);
  command.add_option("-p,--prompt", flags->prompt, "Tokens of prompt")->check(CLI::Range(1, 1 << 24));
  command.add_option("-n,--generate", flags->generate, "Tokens to generate")->check(CLI::Range(1, 1 << 24));
  command.add_option("-b,--batch", flags->batch, "Sequences at once")->check(CLI::Range(1, 4096));
  command.add_option("--trace", flags->trace, "Write a trace that Perfetto opens");
  add_json(command, flags->json);
  return [flags] { return run_profile(*flags); };
}

}  // namespace ridge::app
