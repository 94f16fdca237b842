// The filters: value | name(args).
#pragma once

#include "text/jinja/value.h"

#include <string_view>

namespace ridge::jinja {

using Filter = Value (*)(Interpreter& interpreter, const Value& value, const Args& args);

Filter find_filter(std::string_view name);  // null when there is none

// By subject, as find_filter asks them.
Filter find_text_filter(std::string_view name);
Filter find_number_filter(std::string_view name);
Filter find_sequence_filter(std::string_view name);
Filter find_selection_filter(std::string_view name);

// value.part.part ..., as the attribute parameter of filters has it; digits are indices. `fallback`: null for none.
Value attribute_path(const Value& value, const Value& path, const Value* fallback, Budget& budget);

}  // namespace ridge::jinja
