// Tokens that stand for their spelling in a text, wherever it is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ridge {

class SpecialTokens {
 public:
  struct Token {
    std::string_view spelling;  // not empty; its bytes must outlive the set
    std::int32_t id;
  };
  struct Match {
    std::size_t begin, end;  // bytes
    std::int32_t id;
  };

  // No two may be spelled alike.
  explicit SpecialTokens(std::vector<Token> tokens);

  // The first spelling at or after byte `from` of `text`; of several that begin there, the longest.
  [[nodiscard]] std::optional<Match> find(std::string_view text, std::size_t from) const;

 private:
  [[nodiscard]] const Token* longest_at(std::string_view text) const;

  std::vector<Token> tokens_;  // sorted by spelling
  std::array<bool, 256> begins_{};
};

}  // namespace ridge
