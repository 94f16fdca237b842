// The cut of a text into words before byte-pair merges, by the name that a model file gives.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "text/regex.h"

namespace ridge {

// Regular expressions in order: each one's matches, and the pieces between them, are the texts of the next.
class PreTokenizer {
 public:
  // Throws Error with the name when it is not known. The empty name reads as "default".
  explicit PreTokenizer(std::string_view name);

  // Gives `word` the words in order; joined, they are `text`, which must be valid UTF-8.
  void split(std::string_view text, const std::function<void(std::string_view)>& word) const;

  // A word that is a token stays whole, even where the merges would not arrive at it.
  [[nodiscard]] bool keeps_whole_words() const { return keeps_whole_words_; }
  // Models with this pre-tokenizer begin with their BOS token where the file does not say.
  [[nodiscard]] bool adds_bos() const { return adds_bos_; }

 private:
  std::vector<Regex> steps_;
  bool keeps_whole_words_;
  bool adds_bos_;
};

}  // namespace ridge
