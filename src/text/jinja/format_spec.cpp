#include "text/jinja/format_spec.h"

#include "text/jinja/number.h"
#include "text/jinja/printing.h"
#include "text/jinja/unicode.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace ridge::jinja {
namespace {

constexpr std::size_t kMaxWidth = std::size_t{1} << 20;
constexpr int kMaxPrecision = 1000;

bool is_align(char c) {
  return c == '<' || c == '>' || c == '^' || c == '=';
}

std::size_t take_number(std::string_view& text) {
  std::size_t value = 0;
  while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
    value = std::min(value * 10 + static_cast<std::size_t>(text[0] - '0'), kMaxWidth + 1);
    text.remove_prefix(1);
  }
  return value;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text[0] != c) return false;
  text.remove_prefix(1);
  return true;
}

void take_alignment(std::string_view& text, FormatSpec& spec) {
  std::size_t after = 0;
  if (!text.empty()) unicode::decode(text, after);
  if (after < text.size() && is_align(text[after])) {
    spec.fill = text.substr(0, after);
    spec.align = text[after];
    text.remove_prefix(after + 1);
  } else if (!text.empty() && is_align(text[0])) {
    spec.align = text[0];
    text.remove_prefix(1);
  }
}

std::string repeated(const std::string& fill, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += fill;
  return out;
}

// `prefix` (sign and base) stays in front of '=' padding.
std::string padded(const std::string& prefix, const std::string& body, const FormatSpec& spec, char own_align,
                   Budget& budget) {
  const std::size_t size = unicode::length(prefix) + unicode::length(body);
  budget.text(size + spec.width * spec.fill.size());
  const std::size_t missing = spec.width > size ? spec.width - size : 0;
  switch (spec.align == 0 ? own_align : spec.align) {
    case '<':
      return prefix + body + repeated(spec.fill, missing);
    case '^':
      return repeated(spec.fill, missing / 2) + prefix + body + repeated(spec.fill, missing - missing / 2);
    case '=':
      return prefix + repeated(spec.fill, missing) + body;
    default:
      return repeated(spec.fill, missing) + prefix + body;
  }
}

std::string sign_of(bool negative, const FormatSpec& spec) {
  if (negative) return "-";
  return spec.sign == '-' ? "" : std::string(1, spec.sign);
}

std::string grouped(const std::string& digits, char separator, std::size_t every) {
  if (separator == 0) return digits;
  const std::size_t end = std::min(digits.find_first_not_of("0123456789abcdefABCDEF"), digits.size());
  std::string out;
  for (std::size_t i = 0; i < end; ++i) {
    if (i > 0 && (end - i) % every == 0) out += separator;
    out += digits[i];
  }
  return out + digits.substr(end);
}

std::string printed(const char* format, int precision, double value) {
  std::array<char, 1536> buffer{};  // 309 digits, a point and kMaxPrecision more at most
  const int size = std::snprintf(buffer.data(), buffer.size(), format, precision, value);
  return {buffer.data(), static_cast<std::size_t>(std::max(size, 0))};
}

std::string real_digits(double magnitude, const FormatSpec& spec) {
  const int precision = spec.precision < 0 ? 6 : spec.precision;
  switch (spec.type) {
    case 'f':
    case 'F':
      return printed(spec.alternate ? "%#.*f" : "%.*f", precision, magnitude);
    case 'e':
      return printed("%.*e", precision, magnitude);
    case 'E':
      return printed("%.*E", precision, magnitude);
    case 'g':
      return printed(spec.alternate ? "%#.*g" : "%.*g", precision, magnitude);
    case 'G':
      return printed("%.*G", precision, magnitude);
    case '%':
      return printed("%.*f", precision, magnitude * 100) + "%";
    case 0:
      break;
    default:
      type_error("Unknown format code '{}' for object of type 'float'", spec.type);
  }
  if (spec.precision < 0) return float_repr(magnitude);
  std::string out = printed("%.*g", std::max(precision, 1), magnitude);
  const bool plain = out.find_first_not_of("0123456789") == std::string::npos;
  return plain ? out + ".0" : out;
}

// The type characters that treat an integer as one, and the base of each.
int integer_base(char type) {
  switch (type) {
    case 0:
    case 'd':
    case 'n':
      return 10;
    case 'b':
      return 2;
    case 'o':
      return 8;
    case 'x':
    case 'X':
      return 16;
    default:
      return 0;
  }
}

std::string in_base(std::uint64_t magnitude, int base, bool upper) {
  std::string digits;
  do {
    digits += (upper ? "0123456789ABCDEF" : "0123456789abcdef")[magnitude % static_cast<unsigned>(base)];
    magnitude /= static_cast<unsigned>(base);
  } while (magnitude > 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace

FormatSpec parse_format_spec(std::string_view text) {
  const std::string_view whole = text;
  FormatSpec spec;
  take_alignment(text, spec);
  if (!text.empty() && (text[0] == '+' || text[0] == '-' || text[0] == ' ')) {
    spec.sign = text[0];
    text.remove_prefix(1);
  }
  spec.alternate = take(text, '#');
  if (take(text, '0') && spec.align == 0) {
    spec.fill.assign(1, '0');
    spec.align = '=';
  }
  spec.width = take_number(text);
  if (!text.empty() && (text[0] == ',' || text[0] == '_')) {
    spec.grouping = text[0];
    text.remove_prefix(1);
  }
  if (take(text, '.')) {
    if (text.empty() || text[0] < '0' || text[0] > '9') type_error("Format specifier missing precision");
    spec.precision = static_cast<int>(take_number(text));
  }
  if (!text.empty()) {
    spec.type = text[0];
    text.remove_prefix(1);
  }
  if (!text.empty()) type_error("Invalid format specifier '{:.100}'", whole);
  if (spec.width > kMaxWidth) raise(ErrorKind::kLimit, "format width of more than {}", kMaxWidth);
  return spec;
}

std::string format_text(std::string_view text, const FormatSpec& spec, Budget& budget) {
  if (spec.type != 0 && spec.type != 's') type_error("Unknown format code '{}' for object of type 'str'", spec.type);
  if (spec.align == '=' && spec.fill != "0") type_error("'=' alignment not allowed in string format specifier");
  if (spec.precision >= 0) text = text.substr(0, unicode::offset(text, static_cast<std::size_t>(spec.precision)));
  FormatSpec aligned = spec;
  if (spec.align == '=') aligned.align = '<';
  return padded("", std::string(text), aligned, '<', budget);
}

std::string format_integer(std::int64_t value, const FormatSpec& spec, Budget& budget) {
  if (spec.type == 'c') {
    if (value < 0 || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) type_error("%c arg not in range");
    std::string character;
    unicode::append(character, static_cast<char32_t>(value));
    return padded("", character, spec, '<', budget);
  }
  const int base = integer_base(spec.type);
  if (base == 0) return format_real(static_cast<double>(value), spec, budget);
  if (spec.precision >= 0) type_error("Precision not allowed in integer format specifier");
  const std::uint64_t magnitude = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  std::string prefix = sign_of(value < 0, spec);
  if (spec.alternate && base != 10) prefix.append("0").append(1, spec.type);
  const std::string digits = in_base(magnitude, base, spec.type == 'X');
  return padded(prefix, grouped(digits, spec.grouping, base == 10 ? 3 : 4), spec, '>', budget);
}

std::string format_real(double value, const FormatSpec& spec, Budget& budget) {
  if (spec.precision > kMaxPrecision) raise(ErrorKind::kLimit, "format precision of more than {}", kMaxPrecision);
  const bool negative = std::signbit(value) && !std::isnan(value);
  const std::string digits = grouped(real_digits(std::fabs(value), spec), spec.grouping, 3);
  return padded(sign_of(negative, spec), digits, spec, '>', budget);
}

std::string format_value(const Value& value, const FormatSpec& spec, Budget& budget) {
  if (value.is(Kind::kFloat)) return format_real(value.as_double(), spec, budget);
  if (value.is_integral()) return format_integer(value.as_int(), spec, budget);
  return format_text(to_text(value, budget), spec, budget);
}

}  // namespace ridge::jinja
