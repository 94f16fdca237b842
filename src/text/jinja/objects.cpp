#include "text/jinja/objects.h"

#include "text/jinja/printing.h"

#include <algorithm>

namespace ridge::jinja {

Value Range::at(std::size_t index) const {
  return Value::integer(start + step * static_cast<std::int64_t>(index));
}

std::string Range::repr(Budget& /*budget*/) const {
  const std::int64_t stop = start + step * static_cast<std::int64_t>(count);
  return step == 1 ? fmt::format("range({}, {})", start, stop) : fmt::format("range({}, {}, {})", start, stop, step);
}

std::optional<Values> Range::iterate(Budget& budget) {
  budget.values(count);
  Values values;
  values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) values.push_back(at(i));
  return values;
}

std::optional<Value> Range::item(std::int64_t index) const {
  const auto size = static_cast<std::int64_t>(count);
  if (index < -size || index >= size) return std::nullopt;
  return at(static_cast<std::size_t>(index < 0 ? index + size : index));
}

std::string_view DictView::type_name() const {
  return part == Part::kKeys ? "dict_keys" : part == Part::kValues ? "dict_values" : "dict_items";
}

std::string DictView::repr(Budget& budget) const {
  std::string out = std::string(type_name()) + "(";
  append_repr(out, Value::list(*DictView(dict, part).iterate(budget)), budget);
  return out + ")";
}

bool DictView::truthy() const {
  return dict.truthy();
}
std::optional<std::size_t> DictView::length() {
  return dict.as_dict().entries().size();
}

std::optional<Values> DictView::iterate(Budget& budget) {
  Values values;
  budget.values(dict.as_dict().entries().size() * 2);
  for (const auto& [key, value] : dict.as_dict().entries()) {
    switch (part) {
      case Part::kKeys:
        values.push_back(key);
        break;
      case Part::kValues:
        values.push_back(value);
        break;
      case Part::kItems:
        values.push_back(Value::tuple({key, value}));
        break;
    }
  }
  return values;
}

Iterator::Iterator(Values values) : Object(1), items(std::move(values)) {
  for (const Value& value : items) depth = std::max(depth, value.depth() + 1);
}

std::optional<Values> Iterator::iterate(Budget& budget) {
  budget.values(items.size() - position);
  Values rest(items.begin() + static_cast<std::ptrdiff_t>(position), items.end());
  position = items.size();
  return rest;
}

std::optional<Value> Iterator::next() {
  if (position == items.size()) return std::nullopt;
  return items[position++];
}

Value make_iterator(Values values) {
  return Value::object(std::make_shared<Iterator>(std::move(values)));
}

std::string Namespace::repr(Budget& budget) const {
  if (printing) return "<Namespace {...}>";
  printing = true;
  std::string out = "<Namespace ";
  try {
    append_repr(out, Value::dict(attributes), budget);
  } catch (...) {
    printing = false;
    throw;
  }
  printing = false;
  return out + ">";
}

std::optional<Value> Namespace::attribute(std::string_view name) {
  const Value* value = attributes.find(name);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

Value make_function(std::string name, Body body, int nesting) {
  return Value::object(std::make_shared<Function>(std::move(name), std::move(body), nesting));
}

std::optional<Value> Cycler::attribute(std::string_view name) {
  if (name == "current") return items.items()[position];
  if (name == "items") return items;
  if (name == "pos") return Value::integer_of(position);
  const auto self = shared_from_this();
  if (name == "next") {
    return make_function(
        "next",
        [self](Interpreter&, const Args&) {
          Value value = self->items.items()[self->position];
          self->position = (self->position + 1) % self->items.items().size();
          return value;
        },
        depth);
  }
  if (name == "reset") {
    return make_function(
        "reset",
        [self](Interpreter&, const Args&) {
          self->position = 0;
          return Value::none();
        },
        depth);
  }
  return std::nullopt;
}

Value Joiner::call(Interpreter& /*interpreter*/, const Args& /*args*/) {
  if (used) return separator;
  used = true;
  return Value::text("");
}

}  // namespace ridge::jinja
