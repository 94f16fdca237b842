// Byte-level byte-pair encoding (GPT-2): a word's bytes are its first tokens, and of all neighbours that may merge, the
// pair that stands earliest in the list of merges does (the leftmost of equals), until none may.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/hash_index.h"
#include "text/pre_tokenizer.h"
#include "text/token_index.h"
#include "text/tokenizer_model.h"
#include "text/vocabulary.h"

namespace ridge {

class ByteLevelBpe final : public TokenizerModel {
 public:
  // `vocabulary` and `index`, which is of its tokens, must outlive the model; the merges may go. Throws Error for what
  // Tokenizer's constructor says of them.
  ByteLevelBpe(const Vocabulary& vocabulary, const TokenIndex& index);

  void encode(std::string_view text, std::vector<std::int32_t>& ids) const override;
  void append_piece(std::string_view spelling, std::string& out) const override;
  [[nodiscard]] bool adds_bos() const override { return pre_tokenizer_.adds_bos(); }

 private:
  struct Merge {
    std::int32_t left, right, result;
  };
  class WordEncoder;

  void add_merge(std::string_view text);
  [[nodiscard]] std::int32_t find_merge(std::int32_t left, std::int32_t right) const;
  [[nodiscard]] std::int32_t find_whole(std::string_view word, std::string& spelling) const;

  const Vocabulary& vocabulary_;
  const TokenIndex& index_;
  PreTokenizer pre_tokenizer_;
  std::array<std::int32_t, 256> byte_tokens_{};  // TokenIndex::kNone where the vocabulary has none
  std::vector<Merge> merges_;                    // by rank
  HashIndex merge_index_;
  std::size_t longest_token_ = 0;  // bytes as spelled
};

}  // namespace ridge
