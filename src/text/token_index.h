// From a token's spelling to its id.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/hash_index.h"

namespace ridge {

class TokenIndex {
 public:
  static constexpr std::int32_t kNone = HashIndex::kNone;

  // `tokens` must outlive the index and not change. Throws Error when two are spelled alike.
  explicit TokenIndex(const std::vector<std::string>& tokens);

  // The id of the token of this spelling, or kNone.
  [[nodiscard]] std::int32_t find(std::string_view spelling) const;

 private:
  const std::vector<std::string>& tokens_;
  HashIndex index_;
};

}  // namespace ridge
