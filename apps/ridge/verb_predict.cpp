// ridge predict: the model's own forward on the virtual device. Weights are not needed.
#include "common.h"
#include "core/error.h"
#include "lab/predict.h"
#include "machine.h"
#include "verb.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

namespace ridge::app {
namespace {

struct PredictFlags {
  std::string model;
  std::string device = "cpu";
  std::optional<std::string> type;
  std::string kv_type = "f16";
  PredictOptions options;
  int threads = 0;
  bool json = false;
};

std::optional<Format> parse_type(const std::optional<std::string>& name) {
  if (!name) return std::nullopt;
  const auto format = find_format(*name);
  if (!format) throw UsageError(fmt::format("--type must be one of {}, got {}", format_names(), *name));
  return format;
}

int run_on_paper(const PredictFlags& flags) {
  PredictOptions options = flags.options;
  options.kv_dtype = flags.kv_type == "f32" ? DType::f32 : DType::f16;
  const auto source = open_sizes(flags.model, parse_type(flags.type));
  const Prediction prediction = predict(machine_of(flags.device, resolve_threads(flags.threads)), *source, options);
  if (flags.json) {
    print_json(to_json(prediction));
  } else {
    fmt::print("{}", to_text(prediction));
  }
  return 0;
}

}  // namespace

Action declare_predict(CLI::App& command) {
  const auto flags = std::make_shared<PredictFlags>();
  command.add_option("MODEL", flags->model, "Model file (GGUF, or its header alone) or a config.json")->required();
  command.add_option("--device", flags->device, "cpu: this machine; virtual:FILE: the machine in that file");
  command.add_option("--prompt", flags->options.prompt, "Tokens of prompt")->check(CLI::Range(0, 1 << 30));
  command.add_option("--generate", flags->options.generate, "Tokens to generate")->check(CLI::Range(0, 1 << 30));
  command.add_option("--depth", flags->options.depth, "Tokens in the cache when decoding begins")
      ->check(CLI::Range(0, 1 << 30));
  command.add_option("-b,--batch", flags->options.batch, "Sequences at once")->check(CLI::Range(1, 4096));
  command.add_option("--type", flags->type, "Weight type, for a config.json: F32, F16, BF16, Q4_0, Q4_1 or Q8_0");
  command.add_option("--kv-type", flags->kv_type, "Type of the key and value cache")
      ->check(CLI::IsMember({"f16", "f32"}));
  add_threads(command, flags->threads);
  add_json(command, flags->json);
  return [flags] { return run_on_paper(*flags); };
}

}  // namespace ridge::app
