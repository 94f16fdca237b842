// Code points of UTF-8 text, and Python's str predicates and case mapping over them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ridge::jinja::unicode {

// All functions take well-formed UTF-8 (text/utf8.h says whether text is).

// The code point at byte `at`, which moves past it.
char32_t decode(std::string_view text, std::size_t& at);
void append(std::string& out, char32_t code);
[[nodiscard]] std::size_t length(std::string_view text);  // in code points
// The byte where code point `index` begins; the size of the text when there are not so many.
[[nodiscard]] std::size_t offset(std::string_view text, std::size_t index);

[[nodiscard]] bool is_space(char32_t code);
[[nodiscard]] bool is_line_break(char32_t code);  // as str.splitlines
[[nodiscard]] bool is_alpha(char32_t code);
[[nodiscard]] bool is_digit(char32_t code);  // ASCII digits only
[[nodiscard]] bool is_word(char32_t code);   // \w
[[nodiscard]] bool is_printable(char32_t code);
[[nodiscard]] bool is_upper(char32_t code);
[[nodiscard]] bool is_lower(char32_t code);

[[nodiscard]] std::string upper(std::string_view text);
[[nodiscard]] std::string lower(std::string_view text);
[[nodiscard]] std::string capitalize(std::string_view text);
[[nodiscard]] std::string title(std::string_view text);
[[nodiscard]] std::string swap_case(std::string_view text);

// Bytes of the leading and trailing code points that are in `set`, or that are white space when `set` is null.
[[nodiscard]] std::size_t leading(std::string_view text, const std::string* set = nullptr);
[[nodiscard]] std::size_t trailing(std::string_view text, const std::string* set = nullptr);

}  // namespace ridge::jinja::unicode
