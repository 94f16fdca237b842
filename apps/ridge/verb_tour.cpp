// ridge tour: what ./run shows. The machine's ceilings, the model, the prediction, an answer, the measured figures.
#include "common.h"
#include "core/error.h"
#include "generation.h"
#include "interrupt.h"
#include "lab/predict.h"
#include "lab/report.h"
#include "machine.h"
#include "verb.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace ridge::app {
namespace {

struct TourFlags {
  LoadFlags load;
  std::vector<std::string> words;
  std::int32_t max_tokens = 128;
};

std::string question_of(const std::vector<std::string>& words) {
  std::string question;
  for (const std::string& word : words) question += (question.empty() ? "" : " ") + word;
  return question.empty() ? "What is gravity?" : question;
}

void print_model(const LoadedModel& loaded) {
  const ModelConfig& config = loaded.model.config;
  const std::size_t bytes = weight_bytes(*loaded.source);
  fmt::print("model        {} ({}): {:.1f} M parameters, {} of weights, {} of keys and values per token, context {}\n",
             config.name, config.architecture, static_cast<double>(parameter_count(*loaded.source)) / 1e6,
             format_bytes(static_cast<double>(bytes)),
             format_bytes(static_cast<double>(config.kv_bytes_per_token(DType::f16))), config.context);
}

void print_prediction(const Prediction& prediction) {
  for (const PhasePrediction& phase : prediction.phases) {
    fmt::print("predicted    {:<8} bound {:.0f} tokens/s ({}), expected {:.0f} tokens/s{}\n", phase.phase.name(),
               phase.bound_tokens_per_s(), phase.limiter, phase.expected_tokens_per_s(),
               phase.uncalibrated.empty() ? "" : " (in part uncalibrated)");
  }
  fmt::print("memory       {} at its peak\n", format_bytes(prediction.total_peak_bytes));
}

// Measured beside predicted, for the prompt and the answer as they were.
void print_measured(const Answer& answer, const Prediction& prediction) {
  TextTable table({"phase", "tokens", "measured tok/s", "expected tok/s", "bound tok/s", "of the bound"});
  for (const PhasePrediction& phase : prediction.phases) {
    const double measured = phase.phase.decode ? answer.decode_rate() : answer.prefill_rate();
    table.add({phase.phase.name(), fmt::format("{}", phase.phase.tokens), fmt::format("{:.0f}", measured),
               fmt::format("{:.0f}", phase.expected_tokens_per_s()), fmt::format("{:.0f}", phase.bound_tokens_per_s()),
               format_percent(measured / phase.bound_tokens_per_s())});
  }
  fmt::print("{}", table.text());
}

int tour(const TourFlags& flags) {
  const MachineModel machine = own_machine(resolve_threads(flags.load.threads));
  fmt::print("{}\n", describe_ceilings(machine));
  const LoadedModel loaded(flags.load);
  print_model(loaded);
  const std::string question = question_of(flags.words);
  const Json messages = Json::array({{{"role", "user"}, {"content", question}}});
  const auto prompt = loaded.tokenizer.encode(apply_template(loaded.tokenizer, messages), Special::parse);
  PredictOptions options;
  options.prompt = static_cast<std::int64_t>(prompt.size());
  options.generate = flags.max_tokens;
  options.depth = options.prompt;
  options.kv_dtype = kv_dtype(flags.load);
  options.as_f32 = flags.load.weights == "f32";
  print_prediction(predict(machine, *loaded.source, options));
  fmt::print("\n> {}\n", question);
  const Answer answer =
      generate(loaded, flags.load, prompt, {.max_tokens = flags.max_tokens, .params = {}, .stops = {}},
               [](const std::string& text) {
                 fmt::print("{}", text);
                 std::fflush(stdout);
               });
  fmt::print("\n\n");
  // The answer may be shorter than was asked for: predicted again for its own length.
  options.generate = std::max<std::int64_t>(1, static_cast<std::int64_t>(answer.ids.size()) - 1);
  print_measured(answer, predict(machine, *loaded.source, options));
  return answer.finish == "interrupted" ? kInterrupted : 0;
}

}  // namespace

Action declare_tour(CLI::App& command) {
  const auto flags = std::make_shared<TourFlags>();
  add_load_flags(command, flags->load);
  command.add_option("QUESTION", flags->words, "What to ask; \"What is gravity?\" if nothing is");
  command.add_option("-n,--tokens", flags->max_tokens, "Most tokens to generate")->check(CLI::Range(1, 1 << 20));
  return [flags] { return tour(*flags); };
}

}  // namespace ridge::app
