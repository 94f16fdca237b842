#include "text/jinja/number.h"

#include "text/jinja/budget.h"
#include "text/jinja/unicode.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace ridge::jinja {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

std::string_view stripped(std::string_view text) {
  text.remove_prefix(unicode::leading(text));
  text.remove_suffix(unicode::trailing(text));
  return text;
}

// Drops underscores that stand between two digits; nothing when one stands elsewhere.
std::optional<std::string> without_underscores(std::string_view text) {
  std::string out;
  const auto digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
    } else if (i == 0 || i + 1 == text.size() || !digit(text[i - 1]) || !digit(text[i + 1])) {
      return std::nullopt;
    }
  }
  return out;
}

// Removes "0x", "0o" or "0b" where the base asks for it; base 0 reads the base from it.
int take_prefix(std::string_view& text, int base) {
  if (text.size() < 2 || text[0] != '0') return base == 0 ? 10 : base;
  const char letter = static_cast<char>(text[1] | 0x20);
  const int named = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
  if (named == 0 || (base != 0 && base != named)) return base == 0 ? 10 : base;
  text.remove_prefix(2);
  if (!text.empty() && text[0] == '_') text.remove_prefix(1);
  return named;
}

// The digits and the decimal exponent of the shortest representation: value = d.ddd * 10^exponent.
struct Shortest {
  std::string digits;
  int exponent;
};

Shortest shortest(double magnitude) {
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude, std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  const std::size_t e = text.find('e');
  Shortest result{std::string(text.substr(0, e)), std::atoi(std::string(text.substr(e + 1)).c_str())};
  result.digits.erase(std::remove(result.digits.begin(), result.digits.end(), '.'), result.digits.end());
  return result;
}

std::string positional(const Shortest& number) {
  const auto size = static_cast<int>(number.digits.size());
  if (number.exponent < 0) return fmt::format("0.{:0>{}}", number.digits, size - number.exponent - 1);
  if (size <= number.exponent + 1) {
    return fmt::format("{:0<{}}.0", number.digits, number.exponent + 1);
  }
  std::string out = number.digits;
  return out.insert(static_cast<std::size_t>(number.exponent) + 1, 1, '.');
}

}  // namespace

std::optional<std::int64_t> exact_integer(double value) {
  if (!(value >= -kTwoTo63 && value < kTwoTo63) || std::trunc(value) != value) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::int64_t truncate(double value) {
  if (std::isnan(value)) raise(ErrorKind::kRuntime, "cannot convert float NaN to integer");
  if (std::isinf(value)) raise(ErrorKind::kRuntime, "cannot convert float infinity to integer");
  if (const auto whole = exact_integer(std::trunc(value))) return *whole;
  raise(ErrorKind::kLimit, "integer past 64 bits: {}", value);
}

std::string float_repr(double value) {
  if (std::isnan(value)) return "nan";
  const char* const sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return fmt::format("{}inf", sign);
  const Shortest number = shortest(std::fabs(value));
  if (number.exponent >= -4 && number.exponent < 16) return fmt::format("{}{}", sign, positional(number));
  std::string digits = number.digits;
  if (digits.size() > 1) digits.insert(1, 1, '.');
  return fmt::format("{}{}e{}{:02}", sign, digits, number.exponent < 0 ? '-' : '+', std::abs(number.exponent));
}

std::optional<std::int64_t> parse_integer(std::string_view text, int base) {
  text = stripped(text);
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  base = take_prefix(text, base);
  const auto digits = without_underscores(text);
  if (!digits || digits->empty() || base < 2 || base > 36) return std::nullopt;
  std::uint64_t magnitude = 0;
  const auto end = std::from_chars(digits->data(), digits->data() + digits->size(), magnitude, base);
  if (end.ptr != digits->data() + digits->size()) return std::nullopt;
  const std::uint64_t largest = std::uint64_t{INT64_MAX} + (negative ? 1 : 0);
  if (end.ec != std::errc() || magnitude > largest) raise(ErrorKind::kLimit, "integer past 64 bits: {:.40}", *digits);
  return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

std::optional<double> parse_float(std::string_view text) {
  const auto digits = without_underscores(stripped(text));
  if (!digits || digits->empty()) return std::nullopt;
  std::string_view rest = *digits;
  const bool negative = rest[0] == '-';
  if (negative || rest[0] == '+') rest.remove_prefix(1);
  if (rest.empty() || rest[0] == '-' || rest[0] == '+') return std::nullopt;
  double value = 0;
  const auto end = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (end.ptr != rest.data() + rest.size()) return std::nullopt;
  // from_chars leaves the value alone when it is out of range; strtod gives the infinity or the zero that Python has.
  if (end.ec != std::errc()) value = std::strtod(std::string(rest).c_str(), nullptr);
  if (rest.find('(') != std::string_view::npos) return std::nullopt;  // nan(...) is C only
  return negative ? -value : value;
}

}  // namespace ridge::jinja
