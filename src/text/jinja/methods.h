// The methods of text, lists, tuples, dicts and numbers that do not change them.
#pragma once

#include "text/jinja/value.h"

#include <optional>
#include <string_view>

namespace ridge::jinja {

// The bound method, or nothing when the type has none of that name.
std::optional<Value> method(const Value& self, std::string_view name);

// What a search that takes the product of two sizes may compare for one step of the budget.
inline constexpr std::size_t kComparedPerStep = 4096;

using TextMethod = Value (*)(const Value& self, const Args& args, Budget& budget);
TextMethod find_text_method(std::string_view name);   // null when there is none
TextMethod find_split_method(std::string_view name);  // split and rsplit

// str.splitlines and str.split as filters need them too.
Values split_lines(const std::string& text, bool keep_ends, bool safe, Budget& budget);
Value replace_text(const std::string& text, const std::string& old, const std::string& with, std::int64_t count,
                   bool safe, Budget& budget);

}  // namespace ridge::jinja
