#include "generation.h"

#include "common.h"
#include "core/error.h"
#include "core/progress.h"
#include "interrupt.h"
#include "model/gguf.h"
#include "text/chat_template.h"
#include "text/stop_strings.h"
#include "text/stream_decoder.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <ctime>

namespace ridge::app {
namespace {

std::vector<std::int32_t> end_tokens(const Tokenizer& tokenizer) {
  std::vector<std::int32_t> ids;
  for (std::int32_t id = 0; id < tokenizer.size(); ++id) {
    if (tokenizer.is_end_of_generation(id)) ids.push_back(id);
  }
  return ids;
}

const GgufFile& file_of(const ModelSource& source) {
  const GgufFile* file = gguf_of(source);
  require(file != nullptr, "{}: has no tokenizer", source.name());
  return *file;
}

Model load_with_bar(const Exec& exec, const ModelSource& source, const LoadFlags& flags) {
  ProgressBar bar("loading");
  return load_model(exec, source,
                    {.as_f32 = flags.weights == "f32", .progress = [&](double fraction) { bar.update(fraction); }});
}

EngineOptions engine_options(const LoadedModel& loaded, const LoadFlags& flags, std::size_t prompt, std::int32_t more) {
  const auto wanted = static_cast<std::int64_t>(prompt) + more;
  return {.max_sequences = 1, .kv_dtype = kv_dtype(flags), .kv_tokens = std::min(wanted, loaded.model.config.context)};
}

std::string spelling(const Tokenizer& tokenizer, std::optional<std::int32_t> id) {
  return id ? tokenizer.piece(*id) : std::string();
}

}  // namespace

void add_load_flags(CLI::App& command, LoadFlags& flags) {
  add_model(command, flags.model);
  command.add_option("--weights", flags.weights, "As the file has them, or dequantised at load")
      ->check(CLI::IsMember({"file", "f32"}));
  command.add_option("--kv-type", flags.kv_type, "Type of the key and value cache")
      ->check(CLI::IsMember({"f16", "f32"}));
  add_threads(command, flags.threads);
}

DType kv_dtype(const LoadFlags& flags) {
  return flags.kv_type == "f32" ? DType::f32 : DType::f16;
}

void add_sampling_flags(CLI::App& command, SamplingFlags& flags) {
  SamplingParams& params = flags.params;
  command.add_option("-n,--tokens", flags.max_tokens, "Most tokens to generate")->check(CLI::Range(1, 1 << 30));
  command.add_option("--temperature", params.temperature, "0: always the likeliest token")
      ->check(CLI::Range(0.0, 100.0));
  command.add_option("--top-k", params.top_k, "Sample among the k likeliest; 0: off")->check(CLI::Range(0, 1 << 30));
  command.add_option("--top-p", params.top_p, "Sample among the likeliest that together reach p; 1: off")
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--min-p", params.min_p, "Sample among those with this share of the likeliest; 0: off")
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--repeat-penalty", params.repeat_penalty, "Divides the logits of recent tokens; 1: off")
      ->check(CLI::Range(0.01, 100.0));
  command.add_option("--repeat-last", params.repeat_last, "Tokens that the penalty looks back on; -1: all")
      ->check(CLI::Range(-1, 1 << 30));
  command.add_option("--seed", params.seed, "Of the random numbers: the same seed gives the same answer");
  command.add_option("--stop", flags.stops, "End the answer before this text; may be given several times")
      ->allow_extra_args(false);
}

LoadedModel::LoadedModel(const LoadFlags& flags)
    : device(make_cpu_device(flags.threads)),
      exec(*device),
      source(open_weights(flags.model)),
      tokenizer(load_tokenizer(file_of(*source))) {
  const double start = device->now();
  model = load_with_bar(exec, *source, flags);
  load_s = device->now() - start;
  require(tokenizer.size() <= model.config.vocabulary, "{}: its tokenizer has {} tokens, its embedding {}",
          source->name(), tokenizer.size(), model.config.vocabulary);
}

double Answer::prefill_rate() const {
  return prefill_s > 0 ? static_cast<double>(prompt_tokens) / prefill_s : 0;
}

double Answer::decode_rate() const {
  return decode_s > 0 && ids.size() > 1 ? static_cast<double>(ids.size() - 1) / decode_s : 0;
}

Answer generate(const LoadedModel& loaded, const LoadFlags& load, const std::vector<std::int32_t>& prompt,
                const SamplingFlags& sampling, const std::function<void(const std::string&)>& on_text) {
  Engine engine(loaded.exec, loaded.model, engine_options(loaded, load, prompt.size(), sampling.max_tokens));
  StopStrings stops(sampling.stops);
  StreamDecoder decoder(loaded.tokenizer);
  Answer answer;
  answer.prompt_tokens = static_cast<std::int64_t>(prompt.size());
  const auto emit = [&](const std::string& text) {
    answer.text += text;
    if (!text.empty()) on_text(text);
  };
  const std::vector<std::int32_t> ends = end_tokens(loaded.tokenizer);
  const double start = loaded.device->now();
  const RequestId request = engine.add(
      {.prompt = prompt, .max_new_tokens = sampling.max_tokens, .stop_tokens = ends, .sampling = sampling.params});
  while (answer.finish.empty()) {
    for (const TokenEvent& event : engine.step()) {
      const double now = loaded.device->now();
      if (event.token != kNoToken) {
        if (answer.ids.empty()) answer.prefill_s = now - start;
        answer.decode_s = now - start - answer.prefill_s;
        answer.ids.push_back(event.token);
        if (event.finish != FinishReason::stop) emit(stops.push(decoder.push(event.token)));
      }
      if (event.finish != FinishReason::none) answer.finish = finish_reason_name(event.finish);
    }
    if (stops.stopped()) answer.finish = "stop";
    if (interrupted()) answer.finish = "interrupted";
  }
  engine.cancel(request);
  if (!stops.stopped()) emit(stops.push(decoder.finish()) + stops.finish());
  return answer;
}

std::string apply_template(const Tokenizer& tokenizer, const Json& messages) {
  const Vocabulary& vocabulary = tokenizer.vocabulary();
  require(!vocabulary.chat_template.empty(),
          "the model file has no chat template; leave out --chat, or use a model with one");
  const ChatTemplate chat(vocabulary.chat_template, spelling(tokenizer, vocabulary.bos),
                          spelling(tokenizer, vocabulary.eos));
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  jinja::Options options;
  options.now = local;
  return chat.render(messages, true, nullptr, Json::object(), options);
}

std::string describe_timings(const Answer& answer, double load_s) {
  return fmt::format(
      "loaded in {:.2f} s; prompt {} tokens in {:.3f} s, {:.0f} tokens/s; generated {} tokens in {:.3f} s, {:.1f} "
      "tokens/s",
      load_s, answer.prompt_tokens, answer.prefill_s, answer.prefill_rate(), answer.ids.size(), answer.decode_s,
      answer.decode_rate());
}

}  // namespace ridge::app
