#include "model/gguf_vocabulary.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge {
namespace {

std::vector<std::string> strings(const std::optional<std::vector<std::string_view>>& views) {
  return views ? std::vector<std::string>(views->begin(), views->end()) : std::vector<std::string>();
}

std::vector<TokenType> token_types(const std::optional<std::vector<std::int32_t>>& numbers) {
  std::vector<TokenType> types;
  if (!numbers) return types;
  for (const std::int32_t number : *numbers) types.push_back(static_cast<TokenType>(number));
  return types;
}

}  // namespace

Vocabulary read_vocabulary(const GgufFile& file) {
  Vocabulary vocabulary;
  vocabulary.model = file.at<std::string_view>("tokenizer.ggml.model");
  vocabulary.pre = file.get<std::string_view>("tokenizer.ggml.pre").value_or("");
  vocabulary.tokens = strings(file.at_array<std::string_view>("tokenizer.ggml.tokens"));
  vocabulary.types = token_types(file.get_array<std::int32_t>("tokenizer.ggml.token_type"));
  vocabulary.scores = file.get_array<float>("tokenizer.ggml.scores").value_or(std::vector<float>());
  vocabulary.merges = strings(file.get_array<std::string_view>("tokenizer.ggml.merges"));
  vocabulary.bos = file.get<std::int32_t>("tokenizer.ggml.bos_token_id");
  vocabulary.eos = file.get<std::int32_t>("tokenizer.ggml.eos_token_id");
  vocabulary.eot = file.get<std::int32_t>("tokenizer.ggml.eot_token_id");
  vocabulary.eom = file.get<std::int32_t>("tokenizer.ggml.eom_token_id");
  vocabulary.unk = file.get<std::int32_t>("tokenizer.ggml.unknown_token_id");
  vocabulary.pad = file.get<std::int32_t>("tokenizer.ggml.padding_token_id");
  vocabulary.add_bos = file.get<bool>("tokenizer.ggml.add_bos_token");
  vocabulary.add_eos = file.get<bool>("tokenizer.ggml.add_eos_token");
  vocabulary.add_space_prefix = file.get<bool>("tokenizer.ggml.add_space_prefix").value_or(false);
  vocabulary.chat_template = file.get<std::string_view>("tokenizer.chat_template").value_or("");
  return vocabulary;
}

}  // namespace ridge
