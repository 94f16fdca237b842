// The formatting of one value by fill, alignment, sign, width, precision and type.
#pragma once

#include "text/jinja/value.h"

#include <string>
#include <string_view>

namespace ridge::jinja {

struct FormatSpec {
  std::string fill = " ";  // one code point
  char align = 0;          // '<', '>', '^', '=', or 0 for the type's own
  char sign = '-';
  bool alternate = false;
  char grouping = 0;  // ',' or '_'
  std::size_t width = 0;
  int precision = -1;
  char type = 0;
};

// "[[fill]align][sign][#][0][width][grouping][.precision][type]".
FormatSpec parse_format_spec(std::string_view text);

std::string format_text(std::string_view text, const FormatSpec& spec, Budget& budget);
std::string format_integer(std::int64_t value, const FormatSpec& spec, Budget& budget);
std::string format_real(double value, const FormatSpec& spec, Budget& budget);

// format(value, spec): by the type of the value.
std::string format_value(const Value& value, const FormatSpec& spec, Budget& budget);

}  // namespace ridge::jinja
