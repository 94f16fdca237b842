// Numbers as Python reads and writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ridge::jinja {

// The integer that a double is exactly, when there is one of 64 bits.
std::optional<std::int64_t> exact_integer(double value);

// The integer part. Throws Failure for infinities, NaN and what lies past 64 bits.
std::int64_t truncate(double value);

// repr(float): the shortest digits that read back the same; "1.0", "1e+16", "inf", "nan".
std::string float_repr(double value);

// int(text, base) and float(text): white space around and underscores between digits are allowed. Nothing when the text
// is not a number; an integer past 64 bits throws Failure.
std::optional<std::int64_t> parse_integer(std::string_view text, int base);
std::optional<double> parse_float(std::string_view text);

}  // namespace ridge::jinja
