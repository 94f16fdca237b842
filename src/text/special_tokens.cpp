#include "text/special_tokens.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ridge {
namespace {

// Orders tokens, all at least as long as byte `at` and alike before it, by that byte; the shortest comes first.
struct ByByte {
  std::size_t at;
  [[nodiscard]] int key(const SpecialTokens::Token& token) const {
    return token.spelling.size() == at ? -1 : static_cast<unsigned char>(token.spelling[at]);
  }
  bool operator()(const SpecialTokens::Token& token, int byte) const { return key(token) < byte; }
  bool operator()(int byte, const SpecialTokens::Token& token) const { return byte < key(token); }
};

}  // namespace

SpecialTokens::SpecialTokens(std::vector<Token> tokens) : tokens_(std::move(tokens)) {
  std::sort(tokens_.begin(), tokens_.end(), [](const Token& a, const Token& b) { return a.spelling < b.spelling; });
  for (const Token& token : tokens_) begins_[static_cast<unsigned char>(token.spelling.front())] = true;
}

std::optional<SpecialTokens::Match> SpecialTokens::find(std::string_view text, std::size_t from) const {
  for (std::size_t at = from; at < text.size(); ++at) {
    if (!begins_[static_cast<unsigned char>(text[at])]) continue;
    if (const Token* token = longest_at(text.substr(at))) return Match{at, at + token->spelling.size(), token->id};
  }
  return std::nullopt;
}

// Narrows the sorted tokens to those that agree with the text, byte by byte.
const SpecialTokens::Token* SpecialTokens::longest_at(std::string_view text) const {
  const Token* longest = nullptr;
  auto first = tokens_.begin();
  auto last = tokens_.end();
  for (std::size_t at = 0; at < text.size() && first != last; ++at) {
    std::tie(first, last) = std::equal_range(first, last, static_cast<unsigned char>(text[at]), ByByte{at});
    if (first != last && first->spelling.size() == at + 1) longest = &*first;
  }
  return longest;
}

}  // namespace ridge
