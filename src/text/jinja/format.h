// Python's two ways to format text: "..." % values and "...".format(values).
#pragma once

#include "text/jinja/value.h"

#include <string>

namespace ridge::jinja {

// left % right, where left is text.
std::string format_percent(const Value& format, const Value& values, Budget& budget);

// format.format(*args.positional, **args.named).
std::string format_braces(const Value& format, const Args& args, Budget& budget);

}  // namespace ridge::jinja
