#include "text/jinja/format.h"
#include "text/jinja/number.h"
#include "text/jinja/operators.h"
#include "text/jinja/printing.h"

#include <cmath>

namespace ridge::jinja {
namespace {

const char* symbol(Operator op) {
  switch (op) {
    case Operator::kAdd:
      return "+";
    case Operator::kSubtract:
      return "-";
    case Operator::kMultiply:
      return "*";
    case Operator::kDivide:
      return "/";
    case Operator::kFloorDivide:
      return "//";
    case Operator::kModulo:
      return "%";
    default:
      return "**";
  }
}

[[noreturn]] void unsupported(Operator op, const Value& left, const Value& right) {
  type_error("unsupported operand type(s) for {}: '{}' and '{}'", symbol(op), left.type_name(), right.type_name());
}

[[noreturn]] void past_64_bits(Operator op) {
  raise(ErrorKind::kLimit, "the result of {} is past 64 bits", symbol(op));
}

[[noreturn]] void division_by_zero() {
  raise(ErrorKind::kRuntime, "division by zero");
}

std::int64_t checked(Operator op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  const bool overflow = op == Operator::kAdd        ? __builtin_add_overflow(a, b, &result)
                        : op == Operator::kSubtract ? __builtin_sub_overflow(a, b, &result)
                                                    : __builtin_mul_overflow(a, b, &result);
  if (overflow) past_64_bits(op);
  return result;
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  if (b == 0) division_by_zero();
  if (b == -1) return checked(Operator::kSubtract, 0, a);
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

std::int64_t modulo(std::int64_t a, std::int64_t b) {
  if (b == 0) division_by_zero();
  if (b == -1) return 0;
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double modulo(double a, double b) {
  if (b == 0) division_by_zero();
  double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  if ((rest < 0) != (b < 0)) rest += b;
  return rest;
}

double floor_divide(double a, double b) {
  if (b == 0) division_by_zero();
  const double quotient = (a - modulo(a, b)) / b;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double floored = std::floor(quotient);
  return quotient - floored > 0.5 ? floored + 1 : floored;
}

std::int64_t power(std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  while (exponent > 0) {
    if ((exponent & 1) != 0) result = checked(Operator::kMultiply, result, base);
    exponent >>= 1;
    if (exponent > 0) base = checked(Operator::kMultiply, base, base);
  }
  return result;
}

double power(double base, double exponent) {
  if (base == 0 && exponent < 0) raise(ErrorKind::kRuntime, "0.0 cannot be raised to a negative power");
  if (base < 0 && std::isfinite(base) && std::isfinite(exponent) && std::floor(exponent) != exponent)
    raise(ErrorKind::kRuntime, "a fractional power of a negative number is complex");
  const double result = std::pow(base, exponent);
  if (std::isinf(result) && std::isfinite(base) && std::isfinite(exponent))
    raise(ErrorKind::kRuntime, "the result of ** is too large");
  return result;
}

Value on_integers(Operator op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Operator::kAdd:
    case Operator::kSubtract:
    case Operator::kMultiply:
      return Value::integer(checked(op, a, b));
    case Operator::kDivide:
      if (b == 0) division_by_zero();
      return Value::real(static_cast<double>(static_cast<long double>(a) / static_cast<long double>(b)));
    case Operator::kFloorDivide:
      return Value::integer(floor_divide(a, b));
    case Operator::kModulo:
      return Value::integer(modulo(a, b));
    default:
      break;
  }
  // Squaring past the last bit used must not overflow for these, whatever the exponent.
  if (b > 0 && (a == 0 || a == 1)) return Value::integer(a);
  if (b > 0 && a == -1) return Value::integer(b % 2 == 0 ? 1 : -1);
  if (b >= 0) return Value::integer(power(a, b));
  return Value::real(power(static_cast<double>(a), static_cast<double>(b)));
}

Value on_reals(Operator op, double a, double b) {
  switch (op) {
    case Operator::kAdd:
      return Value::real(a + b);
    case Operator::kSubtract:
      return Value::real(a - b);
    case Operator::kMultiply:
      return Value::real(a * b);
    case Operator::kDivide:
      if (b == 0) division_by_zero();
      return Value::real(a / b);
    case Operator::kFloorDivide:
      return Value::real(floor_divide(a, b));
    case Operator::kModulo:
      return Value::real(modulo(a, b));
    default:
      return Value::real(power(a, b));
  }
}

Value add(const Value& left, const Value& right, Budget& budget) {
  if (left.is_text() && right.is_text()) {
    const bool safe = left.is_safe() || right.is_safe();
    const std::string tail = escaped_beside(right, left.is_safe(), budget);
    budget.text(left.as_text().size() + tail.size());
    return Value::text(escaped_beside(left, right.is_safe(), budget) + tail, safe);
  }
  if (left.is_sequence() && left.kind() == right.kind()) {
    budget.values(left.items().size() + right.items().size());
    Values items = left.items();
    items.insert(items.end(), right.items().begin(), right.items().end());
    return left.is(Kind::kList) ? Value::list(std::move(items)) : Value::tuple(std::move(items));
  }
  if (left.is_text()) type_error("can only concatenate str (not \"{}\") to str", right.type_name());
  unsupported(Operator::kAdd, left, right);
}

Value repeat(const Value& value, std::int64_t count, Budget& budget) {
  const std::size_t size = value.is_text() ? value.as_text().size() : value.items().size();
  const std::size_t times = count < 0 || size == 0 ? 0 : static_cast<std::size_t>(count);
  std::size_t total = 0;
  if (__builtin_mul_overflow(size, times, &total)) raise(ErrorKind::kLimit, "repeated {} times", count);
  if (value.is_text()) {
    budget.text(total);
    std::string out;
    out.reserve(total);
    for (std::size_t i = 0; i < times; ++i) out += value.as_text();
    return Value::text(std::move(out), value.is_safe());
  }
  budget.values(total);
  Values items;
  items.reserve(total);
  for (std::size_t i = 0; i < times; ++i) items.insert(items.end(), value.items().begin(), value.items().end());
  return value.is(Kind::kList) ? Value::list(std::move(items)) : Value::tuple(std::move(items));
}

bool repeatable(const Value& value) {
  return value.is_text() || value.is_sequence();
}

}  // namespace

Value arithmetic(Operator op, const Value& left, const Value& right, Budget& budget) {
  if (op == Operator::kModulo && left.is_text()) {
    return Value::text(format_percent(left, right, budget), left.is_safe());
  }
  if (left.is_undefined()) left.fail_undefined();
  if (right.is_undefined()) right.fail_undefined();
  if (left.is_integral() && right.is_integral()) return on_integers(op, left.as_int(), right.as_int());
  if (left.is_number() && right.is_number()) return on_reals(op, left.as_double(), right.as_double());
  if (op == Operator::kAdd) return add(left, right, budget);
  if (op == Operator::kMultiply && repeatable(left) && right.is_integral()) return repeat(left, right.as_int(), budget);
  if (op == Operator::kMultiply && repeatable(right) && left.is_integral()) return repeat(right, left.as_int(), budget);
  unsupported(op, left, right);
}

Value negate(const Value& value) {
  if (value.is_undefined()) value.fail_undefined();
  if (value.is_integral()) return Value::integer(checked(Operator::kSubtract, 0, value.as_int()));
  if (value.is(Kind::kFloat)) return Value::real(-value.as_double());
  type_error("bad operand type for unary -: '{}'", value.type_name());
}

Value plus(const Value& value) {
  if (value.is_undefined()) value.fail_undefined();
  if (value.is_integral()) return Value::integer(value.as_int());
  if (value.is(Kind::kFloat)) return value;
  type_error("bad operand type for unary +: '{}'", value.type_name());
}

}  // namespace ridge::jinja
