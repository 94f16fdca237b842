// ridge run: continues a text, or answers it through the model's chat template.
#include "common.h"
#include "core/error.h"
#include "generation.h"
#include "interrupt.h"
#include "verb.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace ridge::app {
namespace {

struct RunFlags {
  LoadFlags load;
  SamplingFlags sampling;
  std::string prompt, system;
  bool chat = false;
  bool json = false;
};

std::vector<std::int32_t> encode_prompt(const Tokenizer& tokenizer, const RunFlags& flags) {
  if (!flags.chat) return tokenizer.encode(flags.prompt, Special::as_text, Ends::as_model);
  Json messages = Json::array();
  if (!flags.system.empty()) messages.push_back({{"role", "system"}, {"content", flags.system}});
  messages.push_back({{"role", "user"}, {"content", flags.prompt}});
  return tokenizer.encode(apply_template(tokenizer, messages), Special::parse);
}

Json describe(const Answer& answer, double load_s) {
  return {{"text", answer.text},
          {"ids", answer.ids},
          {"finish_reason", answer.finish},
          {"prompt_tokens", answer.prompt_tokens},
          {"load_s", load_s},
          {"prefill_s", answer.prefill_s},
          {"decode_s", answer.decode_s},
          {"prefill_tokens_per_s", answer.prefill_rate()},
          {"decode_tokens_per_s", answer.decode_rate()}};
}

int run(const RunFlags& flags) {
  if (!flags.system.empty() && !flags.chat) throw UsageError("--system needs --chat");
  const LoadedModel loaded(flags.load);
  const std::vector<std::int32_t> prompt = encode_prompt(loaded.tokenizer, flags);
  require(!prompt.empty(), "run: the prompt has no tokens");
  const Answer answer = generate(loaded, flags.load, prompt, flags.sampling, [&](const std::string& text) {
    if (flags.json) return;
    fmt::print("{}", text);
    std::fflush(stdout);
  });
  if (flags.json) {
    print_json(describe(answer, loaded.load_s));
  } else {
    fmt::print("\n");
    fmt::print(stderr, "{}\n", describe_timings(answer, loaded.load_s));
  }
  return answer.finish == "interrupted" ? kInterrupted : 0;
}

}  // namespace

Action declare_run(CLI::App& command) {
  const auto flags = std::make_shared<RunFlags>();
  add_load_flags(command, flags->load);
  command.add_option("-p,--prompt", flags->prompt, "The text to continue or to answer")->required();
  command.add_flag("--chat", flags->chat, "Answer through the model's own chat template");
  command.add_option("--system", flags->system, "System message, with --chat");
  add_sampling_flags(command, flags->sampling);
  add_json(command, flags->json);
  return [flags] { return run(*flags); };
}

}  // namespace ridge::app
