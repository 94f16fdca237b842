// Template text to tokens, with trim_blocks and lstrip_blocks on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge::jinja {

enum class TokenKind {
  kData,
  kVariableBegin,
  kVariableEnd,
  kBlockBegin,
  kBlockEnd,
  kName,
  kText,  // a string literal, its escapes resolved
  kInteger,
  kFloat,
  kOperator,
  kEnd,
};

struct Token {
  TokenKind kind;
  int line;
  std::string text;

  [[nodiscard]] bool is_name(std::string_view name) const { return kind == TokenKind::kName && text == name; }
  [[nodiscard]] bool is_operator(std::string_view symbol) const {
    return kind == TokenKind::kOperator && text == symbol;
  }
};

// Ends with one kEnd. Throws Failure with its line.
std::vector<Token> tokenize(std::string_view source);

}  // namespace ridge::jinja
