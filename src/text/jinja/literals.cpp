#include "text/jinja/literals.h"

#include "text/jinja/unicode.h"

#include <algorithm>
#include <charconv>

namespace ridge::jinja {
namespace {

bool digit(char c) {
  return c >= '0' && c <= '9';
}
bool hex_digit(char c) {
  return digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool octal_digit(char c) {
  return c >= '0' && c <= '7';
}
bool binary_digit(char c) {
  return c == '0' || c == '1';
}
bool zero(char c) {
  return c == '0';
}

// The end of digits from `at` on, where one underscore may stand before each digit but the first.
std::size_t digits_end(std::string_view text, std::size_t at, bool (*is)(char), bool underscore_first = false) {
  bool any = underscore_first;
  while (at < text.size()) {
    if (is(text[at])) {
      ++at;
    } else if (any && text[at] == '_' && at + 1 < text.size() && is(text[at + 1])) {
      at += 2;
    } else {
      break;
    }
    any = true;
  }
  return at;
}

// The code point written as exactly `digits` hexadecimal digits at text[at].
std::optional<char32_t> hex_code(std::string_view text, std::size_t at, std::size_t digits) {
  if (at + digits > text.size()) return std::nullopt;
  unsigned code = 0;
  const char* begin = text.data() + at;
  const auto end = std::from_chars(begin, begin + digits, code, 16);
  if (end.ptr != begin + digits || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return std::nullopt;
  return code;
}

// "\n", "\\" and their like; 0 for what is not one.
char simple_escape(char letter) {
  switch (letter) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'v':
      return '\v';
    case '\\':
    case '\'':
    case '"':
      return letter;
    default:
      return '\0';
  }
}

// Resolves the escape whose letter stands at text[at] and moves past it; false when it is malformed.
bool append_escape(std::string& out, std::string_view text, std::size_t& at) {
  const char letter = text[at++];
  if (const char simple = simple_escape(letter)) {
    out += simple;
  } else if (letter == '\n') {  // a continued line
    return true;
  } else if (octal_digit(letter)) {
    char32_t code = static_cast<char32_t>(letter - '0');
    for (int i = 0; i < 2 && at < text.size() && octal_digit(text[at]); ++i) {
      code = code * 8 + static_cast<char32_t>(text[at++] - '0');
    }
    unicode::append(out, code);
  } else if (letter == 'x' || letter == 'u' || letter == 'U') {
    const std::size_t digits = letter == 'x' ? 2 : letter == 'u' ? 4 : 8;
    const auto code = hex_code(text, at, digits);
    if (!code) return false;
    unicode::append(out, *code);
    at += digits;
  } else if (letter == 'N') {
    return false;
  } else {  // not an escape: the backslash stays
    out += '\\';
    --at;
    const std::size_t begin = at;
    unicode::decode(text, at);
    out += text.substr(begin, at - begin);
  }
  return true;
}

}  // namespace

std::size_t match_float(std::string_view text) {
  const std::size_t whole = digits_end(text, 0, digit);
  if (whole == 0) return 0;
  std::size_t end = whole;
  if (end + 1 < text.size() && text[end] == '.' && digit(text[end + 1])) end = digits_end(text, end + 1, digit);
  std::size_t exponent = end;
  if (exponent < text.size() && (text[exponent] == 'e' || text[exponent] == 'E')) {
    ++exponent;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    if (exponent < text.size() && digit(text[exponent])) return digits_end(text, exponent, digit);
  }
  return end > whole ? end : 0;
}

std::size_t match_integer(std::string_view text) {
  if (text.empty() || !digit(text[0])) return 0;
  if (text[0] != '0') return digits_end(text, 0, digit);
  const char letter = text.size() > 1 ? static_cast<char>(text[1] | 0x20) : '\0';
  const auto is = letter == 'x' ? hex_digit : letter == 'o' ? octal_digit : letter == 'b' ? binary_digit : nullptr;
  if (is != nullptr) {
    const std::size_t end = digits_end(text, 2, is, true);
    if (end > 2) return end;
  }
  return digits_end(text, 0, zero);
}

std::size_t match_name(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size()) {
    std::size_t next = end;
    if (!unicode::is_word(unicode::decode(text, next))) break;
    end = next;
  }
  return end;
}

std::size_t match_text(std::string_view text) {
  if (text.empty() || (text[0] != '\'' && text[0] != '"')) return 0;
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == text[0]) {
      return at + 1;
    }
  }
  return 0;
}

std::size_t match_operator(std::string_view text) {
  constexpr std::string_view kPairs[] = {"//", "**", "==", "!=", ">=", "<="};
  const std::string_view two = text.substr(0, 2);
  if (std::find(std::begin(kPairs), std::end(kPairs), two) != std::end(kPairs)) return 2;
  return std::string_view("+-/*%~[](){}><=.:|,;").find(text[0]) == std::string_view::npos ? 0 : 1;
}

std::optional<std::string> unescape(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '\\') {
      out += text[at++];
      continue;
    }
    if (++at == text.size()) return std::nullopt;
    if (!append_escape(out, text, at)) return std::nullopt;
  }
  return out;
}

}  // namespace ridge::jinja
