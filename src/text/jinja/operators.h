// Python's operators on values.
#pragma once

#include "text/jinja/value.h"

#include <cstdint>

namespace ridge::jinja {

enum class Operator {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kFloorDivide,
  kModulo,
  kPower,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kIn,
  kNotIn,
};

// kAdd ... kPower.
Value arithmetic(Operator op, const Value& left, const Value& right, Budget& budget);
Value negate(const Value& value);
Value plus(const Value& value);

// kEqual ... kNotIn.
bool compare(Operator op, const Value& left, const Value& right, Budget& budget);
bool equal(const Value& left, const Value& right, Budget& budget);
bool less(const Value& left, const Value& right, Budget& budget);
bool contains(const Value& container, const Value& item, Budget& budget);

// The byte where `needle` first stands in `text` at or after byte `from`; npos when nowhere. Linear time.
std::size_t find_text(std::string_view text, std::string_view needle, std::size_t from);

// HTML escapes, as markupsafe.escape.
std::string escape_html(std::string_view text, Budget& budget);
// Text to be joined with `other`: escaped when the other is safe and this is not.
std::string escaped_beside(const Value& text, bool other_is_safe, Budget& budget);

struct SliceRange {
  std::int64_t start, step;
  std::size_t count;
};
// Python's slice(start, stop, step).indices(length) of integers; none stands for an absent bound.
SliceRange slice_range(const Value& start, const Value& stop, const Value& step, std::size_t length);

}  // namespace ridge::jinja
