// The words of an expression: how many bytes at the start of `text` are one, 0 when none is.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ridge::jinja {

std::size_t match_float(std::string_view text);
std::size_t match_integer(std::string_view text);
std::size_t match_name(std::string_view text);
std::size_t match_text(std::string_view text);  // a whole string literal with its quotes
std::size_t match_operator(std::string_view text);

// What stands between the quotes with Python's escapes resolved; nothing when one is malformed.
std::optional<std::string> unescape(std::string_view text);

}  // namespace ridge::jinja
