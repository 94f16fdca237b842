// What a model file says about its tokenizer. A reader of files fills it; Tokenizer checks it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridge {

// The numbers are those of `tokenizer.ggml.token_type` in GGUF. A reader may cast any number here: Tokenizer rejects
// those without a name.
enum class TokenType : std::int32_t { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };

struct Vocabulary {
  std::string model;                // the algorithm: "gpt2" is byte-level BPE
  std::string pre;                  // the pre-tokenizer: "smollm", "llama-bpe"; empty reads as "default"
  std::vector<std::string> tokens;  // by id; of byte-level BPE: spelled in its byte alphabet (text/byte_alphabet.h)
  std::vector<TokenType> types;     // by id; empty: all normal
  std::vector<float> scores;        // by id; empty where the algorithm has none
  std::vector<std::string> merges;  // "left right", the first merges first
  std::optional<std::int32_t> bos, eos, eot, eom, unk, pad;
  std::optional<bool> add_bos, add_eos;  // unset: what the pre-tokenizer's models do
  bool add_space_prefix = false;
  std::string chat_template;
};

}  // namespace ridge
