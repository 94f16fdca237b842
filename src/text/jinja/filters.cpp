#include "text/jinja/filters.h"

#include "text/jinja/access.h"
#include "text/jinja/number.h"
#include "text/jinja/unicode.h"

namespace ridge::jinja {

Filter find_filter(std::string_view name) {
  for (const auto find : {find_text_filter, find_number_filter, find_sequence_filter, find_selection_filter}) {
    if (const Filter filter = find(name)) return filter;
  }
  return nullptr;
}

Value attribute_path(const Value& value, const Value& path, const Value* fallback, Budget& budget) {
  if (path.is_none()) return value;
  const auto step = [&](const Value& from, const Value& key) {
    Value next = item(from, key, budget);
    return next.is_undefined() && fallback != nullptr && !fallback->is_none() ? *fallback : next;
  };
  if (!path.is_text()) return step(value, path);
  Value current = value;
  std::string_view rest = path.as_text();
  for (;;) {
    const std::size_t dot = rest.find('.');
    const std::string_view part = rest.substr(0, dot);
    const bool digits = !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
    const auto index = digits ? parse_integer(part, 10) : std::nullopt;
    current = step(current, index ? Value::integer(*index) : Value::text(std::string(part)));
    if (dot == std::string_view::npos) return current;
    rest.remove_prefix(dot + 1);
  }
}

}  // namespace ridge::jinja
