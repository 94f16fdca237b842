// The tests: value is name(args).
#pragma once

#include "text/jinja/value.h"

#include <string_view>

namespace ridge::jinja {

using Predicate = bool (*)(Interpreter& interpreter, const Value& value, const Args& args);

Predicate find_predicate(std::string_view name);  // null when there is none

}  // namespace ridge::jinja
