// For tests: a byte-level vocabulary as small as one can be.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "text/byte_alphabet.h"
#include "text/vocabulary.h"

namespace ridge {

// "left right" without the space.
inline std::string joined(const std::string& merge) {
  const std::size_t space = merge.find(' ');
  return merge.substr(0, space) + merge.substr(space + 1);
}

// Ids 0 to 255 are the bytes; 256 and up what `merges` ("left right", spelled) make, in order.
inline Vocabulary test_vocabulary(const std::vector<std::string>& merges, const std::string& pre = "gpt-2") {
  Vocabulary vocabulary;
  vocabulary.model = "gpt2";
  vocabulary.pre = pre;
  vocabulary.merges = merges;
  for (int byte = 0; byte < 256; ++byte) vocabulary.tokens.emplace_back(spelled_byte(static_cast<unsigned char>(byte)));
  for (const std::string& merge : merges) vocabulary.tokens.push_back(joined(merge));
  vocabulary.types.assign(vocabulary.tokens.size(), TokenType::normal);
  return vocabulary;
}

// Adds a token of the type and gives its id.
inline std::int32_t add_token(Vocabulary& vocabulary, std::string spelling, TokenType type) {
  vocabulary.tokens.push_back(std::move(spelling));
  vocabulary.types.push_back(type);
  return static_cast<std::int32_t>(vocabulary.tokens.size()) - 1;
}

}  // namespace ridge
