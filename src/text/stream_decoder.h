// Token ids to text, as they come.
#pragma once

#include <cstdint>
#include <string>

#include "text/tokenizer.h"

namespace ridge {

// Gives out whole UTF-8 characters only. All that push() and finish() return, joined, is valid UTF-8 and equals
// bytes.decode("utf-8", errors="replace") of Tokenizer::decode over the same ids.
class StreamDecoder {
 public:
  // The tokenizer must outlive the decoder. With `skip_special`, control tokens add no text.
  explicit StreamDecoder(const Tokenizer& tokenizer, bool skip_special = true)
      : tokenizer_(&tokenizer), skip_special_(skip_special) {}

  // The characters that `id` completes; the start of one, at most three bytes, is kept back. Throws Error when `id` is
  // no token.
  std::string push(std::int32_t id);
  // Ends the text: what was kept back can no longer become a character. The decoder may be used again from here.
  std::string finish();

 private:
  const Tokenizer* tokenizer_;
  bool skip_special_;
  std::string pending_;
};

}  // namespace ridge
