// Attributes, items and slices with the sandbox's rules.
#pragma once

#include "text/jinja/value.h"

#include <string_view>

namespace ridge::jinja {

// value.name: a method or attribute first, then an item; undefined when there is neither.
Value attribute(const Value& value, std::string_view name);

// value[key]: an item first, then a method or attribute; undefined when there is neither.
Value item(const Value& value, const Value& key, Budget& budget);

// value[start:stop:step]; none stands for an absent bound. Undefined where Python has a TypeError.
Value slice(const Value& value, const Value& start, const Value& stop, const Value& step, Budget& budget);

}  // namespace ridge::jinja
