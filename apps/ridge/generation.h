// What the verbs that generate text share: their flags, the loaded model, and one answer.
#pragma once

#include "device/device.h"
#include "engine/engine.h"
#include "model/model.h"
#include "text/tokenizer.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace ridge::app {

struct LoadFlags {
  std::string model;
  std::string weights = "file";  // or f32
  std::string kv_type = "f16";   // or f32
  int threads = 0;
};
void add_load_flags(CLI::App& command, LoadFlags& flags);
DType kv_dtype(const LoadFlags& flags);

struct SamplingFlags {
  std::int32_t max_tokens = 128;
  SamplingParams params;
  std::vector<std::string> stops;
};
void add_sampling_flags(CLI::App& command, SamplingFlags& flags);

// A model in memory with its file and tokenizer.
struct LoadedModel {
  explicit LoadedModel(const LoadFlags& flags);

  std::unique_ptr<Device> device;
  Exec exec;
  std::unique_ptr<ModelSource> source;
  Tokenizer tokenizer;
  Model model;
  double load_s = 0;
};

struct Answer {
  std::string text;
  std::vector<std::int32_t> ids;  // a stop token included
  std::int64_t prompt_tokens = 0;
  double prefill_s = 0;  // until the first token
  double decode_s = 0;   // from the first token to the last
  std::string finish;    // "stop", "length", "interrupted"

  // Tokens per second; 0 where nothing was timed.
  [[nodiscard]] double prefill_rate() const;
  [[nodiscard]] double decode_rate() const;
};

// Generates from `prompt` and hands the text to `on_text` as it comes. Ctrl-C ends the answer as "interrupted".
Answer generate(const LoadedModel& loaded, const LoadFlags& load, const std::vector<std::int32_t>& prompt,
                const SamplingFlags& sampling, const std::function<void(const std::string&)>& on_text);

// The text that the model's own chat template makes of a conversation. Throws Error when the file has no template.
std::string apply_template(const Tokenizer& tokenizer, const Json& messages);

// "prompt 24 tokens at 812 tok/s, …": the line at the end of an answer.
std::string describe_timings(const Answer& answer, double load_s);

}  // namespace ridge::app
