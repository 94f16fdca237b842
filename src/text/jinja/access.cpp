#include "text/jinja/access.h"

#include "text/jinja/methods.h"
#include "text/jinja/objects.h"
#include "text/jinja/operators.h"
#include "text/jinja/printing.h"
#include "text/jinja/unicode.h"

namespace ridge::jinja {
namespace {

std::string described(const Value& value) {
  return value.is_none() ? "None" : fmt::format("{} object", value.type_name());
}

Value missing_attribute(const Value& value, std::string_view name) {
  return Value::undefined(fmt::format("'{}' has no attribute '{:.100}'", described(value), name));
}

Value missing_item(const Value& value, const Value& key, Budget& budget) {
  std::string shown;
  append_repr(shown, key, budget);
  return Value::undefined(fmt::format("{} has no element {:.100}", described(value), shown));
}

Value unsafe(const Value& value, std::string_view name) {
  return Value::undefined(fmt::format("access to attribute '{}' of '{}' object is unsafe.", name, value.type_name()),
                          ErrorKind::kForbidden);
}

bool one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  for (const std::string_view candidate : names) {
    if (candidate == name) return true;
  }
  return false;
}

// Methods that would change a value, which the sandbox forbids.
bool mutates(const Value& value, std::string_view name) {
  if (value.is(Kind::kDict)) return one_of(name, {"clear", "pop", "popitem", "setdefault", "update"});
  return value.is(Kind::kList) &&
         one_of(name, {"append", "clear", "pop", "reverse", "insert", "sort", "extend", "remove"});
}

// Python's getattr under the sandbox; nothing when the type has no such attribute.
std::optional<Value> own_attribute(const Value& value, std::string_view name) {
  if (mutates(value, name)) return unsafe(value, name);
  if (value.is(Kind::kObject)) return value.as_object()->attribute(name);
  return method(value, name);
}

// Python's value[key]; nothing where that raises TypeError or LookupError.
std::optional<Value> own_item(const Value& value, const Value& key) {
  if (value.is(Kind::kDict)) {
    if (key.is(Kind::kList) || key.is(Kind::kDict)) return std::nullopt;
    const Value* found = value.as_dict().find(key);
    return found == nullptr ? std::nullopt : std::optional(*found);
  }
  if (!key.is_integral()) return std::nullopt;
  if (value.is(Kind::kObject)) return value.as_object()->item(key.as_int());
  if (!value.is_text() && !value.is_sequence()) return std::nullopt;
  const auto size = static_cast<std::int64_t>(*length_of(value));
  const std::int64_t index = key.as_int() < 0 ? key.as_int() + size : key.as_int();
  if (index < 0 || index >= size) return std::nullopt;
  if (value.is_sequence()) return value.items()[static_cast<std::size_t>(index)];
  const std::string& text = value.as_text();
  const std::size_t begin = unicode::offset(text, static_cast<std::size_t>(index));
  std::size_t end = begin;
  unicode::decode(text, end);
  return Value::text(text.substr(begin, end - begin), value.is_safe());
}

Value slice_text(const Value& value, const SliceRange& range, std::size_t length) {
  const std::string& text = value.as_text();
  std::string out;
  const auto start = static_cast<std::size_t>(range.start);
  if (range.count == 0) return Value::text("", value.is_safe());
  if (range.step == 1) {
    const std::size_t begin = unicode::offset(text, start);
    const std::size_t end = begin + unicode::offset(std::string_view(text).substr(begin), range.count);
    return Value::text(text.substr(begin, end - begin), value.is_safe());
  }
  std::vector<std::size_t> begins;
  begins.reserve(length + 1);
  for (std::size_t at = 0; at < text.size(); unicode::decode(text, at)) begins.push_back(at);
  begins.push_back(text.size());
  for (std::size_t i = 0; i < range.count; ++i) {
    const auto at = static_cast<std::size_t>(range.start + range.step * static_cast<std::int64_t>(i));
    out += text.substr(begins[at], begins[at + 1] - begins[at]);
  }
  return Value::text(std::move(out), value.is_safe());
}

}  // namespace

Value attribute(const Value& value, std::string_view name) {
  if (value.is_undefined()) value.fail_undefined();
  if (auto own = own_attribute(value, name)) return *own;
  if (value.is(Kind::kDict)) {
    if (const Value* found = value.as_dict().find(name)) return *found;
  }
  return missing_attribute(value, name);
}

Value item(const Value& value, const Value& key, Budget& budget) {
  if (value.is_undefined()) value.fail_undefined();
  if (value.is_text()) budget.text(value.as_text().size());
  if (auto own = own_item(value, key)) return *own;
  if (key.is_text()) {
    if (auto own = own_attribute(value, key.as_text())) return *own;
    return missing_attribute(value, key.as_text());
  }
  return missing_item(value, key, budget);
}

Value slice(const Value& value, const Value& start, const Value& stop, const Value& step, Budget& budget) {
  if (value.is_undefined()) value.fail_undefined();
  const auto range_object = value.as<Range>();
  const auto is_bound = [](const Value& bound) { return bound.is_none() || bound.is_integral(); };
  const bool sliceable = value.is_text() || value.is_sequence() || range_object != nullptr;
  if (!sliceable || !is_bound(start) || !is_bound(stop) || !is_bound(step))
    return Value::undefined(fmt::format("{} has no such slice", described(value)));
  const std::size_t length = *length_of(value);
  const SliceRange range = slice_range(start, stop, step, length);
  if (value.is_text()) {
    budget.text(value.as_text().size() * (range.step == 1 ? 1 : 8));
    return slice_text(value, range, length);
  }
  if (range_object != nullptr) {
    const std::int64_t first = range_object->start + range_object->step * range.start;
    const std::int64_t by = range.count > 1 ? range_object->step * range.step : 1;
    return Value::object(std::make_shared<Range>(first, by, range.count));
  }
  budget.values(range.count);
  Values items;
  for (std::size_t i = 0; i < range.count; ++i) {
    items.push_back(value.items()[static_cast<std::size_t>(range.start + range.step * static_cast<std::int64_t>(i))]);
  }
  return value.is(Kind::kList) ? Value::list(std::move(items)) : Value::tuple(std::move(items));
}

}  // namespace ridge::jinja
