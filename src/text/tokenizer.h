// Text to token ids and back.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/vocabulary.h"

namespace ridge {

class SpecialTokens;
class TokenIndex;
class TokenizerModel;

// Spelled control tokens ("<|im_end|>") in a text: text like any other, or the tokens that they spell. User-defined
// tokens are no matter of safety and are always found.
enum class Special { as_text, parse };

// Whether the model's begin- and end-of-sequence tokens stand around the text.
enum class Ends { none, as_model };

// Immutable, so one may serve many threads. Ids are those of the Hugging Face `tokenizers` library for the same
// vocabulary and pre-tokenizer; its text normalisation (NFC of the Qwen family) is not done.
class Tokenizer {
 public:
  // Throws Error for an unknown model, pre-tokenizer or token type (named), lists whose lengths disagree, tokens
  // spelled alike, merges that name no token, a printable ASCII character without a token, and special ids that are no
  // token.
  explicit Tokenizer(Vocabulary vocabulary);
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  // Takes time in proportion to the text (times the logarithm of its longest word). Bytes that are not UTF-8 are
  // encoded as U+FFFD, one for each that Python's bytes.decode("utf-8", errors="replace") makes. A byte for which the
  // vocabulary has no token yields none. Throws Error for a text of 2 GiB or more.
  [[nodiscard]] std::vector<std::int32_t> encode(std::string_view text, Special special = Special::as_text,
                                                 Ends ends = Ends::none) const;

  // The bytes of a token; a special token's are its spelling. They may be a part of a UTF-8 character. Throws Error
  // when `id` is no token; so do the next two.
  [[nodiscard]] std::string piece(std::int32_t id) const;
  // The same for eyes and JSON: valid UTF-8, with U+FFFD for what is not.
  [[nodiscard]] std::string printable_piece(std::int32_t id) const;
  // The pieces of `ids`, without those of control tokens if `skip_special`.
  [[nodiscard]] std::string decode(std::span<const std::int32_t> ids, bool skip_special = false) const;

  // The token of this very spelling, special or not.
  [[nodiscard]] std::optional<std::int32_t> find(std::string_view spelling) const;
  // A control or unknown token: no part of the text. False where `id` is no token, as the next one.
  [[nodiscard]] bool is_special(std::int32_t id) const;
  // The end of a sequence, turn or message, as the file says or as the control token's spelling does.
  [[nodiscard]] bool is_end_of_generation(std::int32_t id) const;

  [[nodiscard]] std::int32_t size() const;
  // As given, without the merges, which the tokenizer keeps in a form of its own; add_bos and add_eos are set.
  [[nodiscard]] const Vocabulary& vocabulary() const { return *vocabulary_; }

 private:
  void append_piece(std::int32_t id, std::string& out) const;
  void append_ids(std::string_view text, const SpecialTokens& specials, std::vector<std::int32_t>& ids) const;

  std::unique_ptr<Vocabulary> vocabulary_;  // on the heap: the members below refer to it
  std::unique_ptr<TokenIndex> index_;
  std::unique_ptr<TokenizerModel> model_;
  std::unique_ptr<SpecialTokens> user_defined_, all_special_;
  std::vector<std::int32_t> end_of_generation_;
};

}  // namespace ridge
