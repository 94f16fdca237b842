// What a family of tokenizers (byte-level BPE here) does with the text between special tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridge {

// Immutable: one serves many threads.
class TokenizerModel {
 public:
  TokenizerModel() = default;
  TokenizerModel(const TokenizerModel&) = delete;
  TokenizerModel& operator=(const TokenizerModel&) = delete;
  virtual ~TokenizerModel() = default;

  // Appends the ids of `text`, which is valid UTF-8 of less than 2 GiB.
  virtual void encode(std::string_view text, std::vector<std::int32_t>& ids) const = 0;

  // Appends the bytes that a token of text (normal, unused or byte) spelled `spelling` stands for.
  virtual void append_piece(std::string_view spelling, std::string& out) const = 0;

  // Whether models of this kind begin with their BOS token where the file does not say.
  [[nodiscard]] virtual bool adds_bos() const = 0;
};

}  // namespace ridge
