// Filters on numbers, and those that turn values into numbers.
#include "text/jinja/arguments.h"
#include "text/jinja/filters.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/number.h"
#include "text/jinja/operators.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>

namespace ridge::jinja {
namespace {

Value to_int(Interpreter& /*in*/, const Value& value, const Args& args) {
  const Bound bound("int", args, {"default", "base"});
  if (value.is_undefined()) value.fail_undefined();
  if (value.is_integral()) return Value::integer(value.as_int());
  if (value.is(Kind::kFloat) && std::isnan(value.as_double())) return bound.get(0, Value::integer(0));
  if (value.is(Kind::kFloat)) return Value::integer(truncate(value.as_double()));
  if (!value.is_text()) return bound.get(0, Value::integer(0));
  if (const auto number = parse_integer(value.as_text(), static_cast<int>(bound.integer(1, 10))))
    return Value::integer(*number);
  const auto real = parse_float(value.as_text());
  if (!real || !std::isfinite(*real)) return bound.get(0, Value::integer(0));
  return Value::integer(truncate(*real));
}

Value to_float(Interpreter& /*in*/, const Value& value, const Args& args) {
  const Bound bound("float", args, {"default"});
  if (value.is_undefined()) value.fail_undefined();
  if (value.is_number()) return Value::real(value.as_double());
  const auto number = value.is_text() ? parse_float(value.as_text()) : std::nullopt;
  return number ? Value::real(*number) : bound.get(0, Value::real(0));
}

Value absolute(Interpreter& /*in*/, const Value& value, const Args& args) {
  const Bound none("abs", args, {});
  if (value.is(Kind::kFloat)) return Value::real(std::fabs(value.as_double()));
  if (!value.is_integral()) type_error("bad operand type for abs(): '{}'", value.type_name());
  return value.as_int() < 0 ? negate(value) : Value::integer(value.as_int());
}

// Python's round(): the decimal digits of the exact binary value, ties to even. printf does the same.
double round_real(double value, std::int64_t digits) {
  if (!std::isfinite(value) || digits > 308) return value;
  if (digits < -308) return std::copysign(0.0, value);
  if (digits < 0) {
    const double unit = std::pow(10.0, static_cast<double>(-digits));
    return std::nearbyint(value / unit) * unit;
  }
  std::array<char, 700> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*f", static_cast<int>(digits), value);
  return std::strtod(buffer.data(), nullptr);
}

std::int64_t round_whole(std::int64_t value, std::int64_t digits) {
  if (digits >= 0) return value;
  if (digits < -18) return 0;
  std::int64_t unit = 1;
  for (std::int64_t i = 0; i < -digits; ++i) unit *= 10;
  const std::int64_t rest = ((value % unit) + unit) % unit;
  const std::int64_t half = unit / 2;
  const std::int64_t down = value - rest;
  const bool odd = (down / unit) % 2 != 0;
  return rest > half || (rest == half && odd) ? down + unit : down;
}

Value round_filter(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("round", args, {"precision", "method"});
  const std::string method = bound.has(1) ? bound.need_text(1) : "common";
  const std::int64_t digits = bound.integer(0, 0);
  if (method != "common" && method != "ceil" && method != "floor")
    raise(ErrorKind::kRuntime, "method must be common, ceil or floor");
  if (value.is_undefined() || !value.is_number()) type_error("type {} doesn't define round", value.type_name());
  if (method == "common") {
    if (value.is_integral()) return Value::integer(round_whole(value.as_int(), digits));
    return Value::real(round_real(value.as_double(), digits));
  }
  Budget& budget = in.budget();
  const Value scale = arithmetic(Operator::kPower, Value::integer(10), Value::integer(digits), budget);
  const double scaled = arithmetic(Operator::kMultiply, value, scale, budget).as_double();
  const std::int64_t whole = truncate(method == "ceil" ? std::ceil(scaled) : std::floor(scaled));
  return arithmetic(Operator::kDivide, Value::integer(whole), scale, budget);
}

Value sum(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("sum", args, {"attribute", "start"});
  Value total = bound.get(1, Value::integer(0));
  if (total.is_text()) type_error("sum() can't sum strings");
  for (const Value& item : iterate(value, in.budget())) {
    const Value part = attribute_path(item, bound.get(0, Value::none()), nullptr, in.budget());
    total = arithmetic(Operator::kAdd, total, part, in.budget());
  }
  return total;
}

Value file_size(Interpreter& /*in*/, const Value& value, const Args& args) {
  const Bound bound("filesizeformat", args, {"binary"});
  const auto parsed = value.is_text() ? parse_float(value.as_text()) : std::nullopt;
  if (!value.is_number() && !parsed) type_error("filesizeformat: a number is required, not {}", value.type_name());
  const double bytes = parsed ? *parsed : value.as_double();
  const bool binary = bound.truth(0);
  const double base = binary ? 1024 : 1000;
  if (bytes == 1) return Value::text("1 Byte");
  if (bytes < base) return Value::text(fmt::format("{} Bytes", truncate(bytes)));
  constexpr std::array<const char*, 8> kDecimal = {"kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"};
  constexpr std::array<const char*, 8> kBinary = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"};
  double unit = base;
  std::size_t prefix = 0;
  for (; prefix < kDecimal.size(); ++prefix) {
    unit *= base;
    if (bytes < unit) break;
  }
  prefix = std::min(prefix, kDecimal.size() - 1);
  return Value::text(fmt::format("{:.1f} {}", base * bytes / unit, binary ? kBinary[prefix] : kDecimal[prefix]));
}

}  // namespace

Filter find_number_filter(std::string_view name) {
  static const std::unordered_map<std::string_view, Filter> kFilters = {
      {"abs", absolute}, {"filesizeformat", file_size}, {"float", to_float},
      {"int", to_int},   {"round", round_filter},       {"sum", sum},
  };
  const auto found = kFilters.find(name);
  return found == kFilters.end() ? nullptr : found->second;
}

}  // namespace ridge::jinja
