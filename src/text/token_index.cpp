#include "text/token_index.h"

#include <functional>

#include "core/error.h"

namespace ridge {

TokenIndex::TokenIndex(const std::vector<std::string>& tokens) : tokens_(tokens), index_(tokens.size()) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view spelling = tokens[i];
    const std::int32_t before = find(spelling);
    require(before == kNone, "tokenizer: tokens {} and {} are both spelled {:?}", before, i, spelling.substr(0, 64));
    index_.insert(std::hash<std::string_view>{}(spelling), static_cast<std::int32_t>(i));
  }
}

std::int32_t TokenIndex::find(std::string_view spelling) const {
  return index_.find(std::hash<std::string_view>{}(spelling),
                     [&](std::int32_t id) { return tokens_[static_cast<std::size_t>(id)] == spelling; });
}

}  // namespace ridge
