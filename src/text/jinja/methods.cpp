#include "text/jinja/methods.h"

#include "text/jinja/arguments.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/number.h"
#include "text/jinja/objects.h"
#include "text/jinja/operators.h"

#include <algorithm>
#include <cmath>

namespace ridge::jinja {
namespace {

using Call = Value (*)(const Value& self, const Args& args, Budget& budget);

Value bind(const Value& self, std::string_view name, Call call) {
  return make_function(
      std::string(name),
      [self, call](Interpreter& interpreter, const Args& args) { return call(self, args, interpreter.budget()); },
      self.depth());
}

Value view(const Value& self, const Args& args, const char* name, DictView::Part part) {
  const Bound none(name, args, {});
  return Value::object(std::make_shared<DictView>(self, part));
}

Value dict_items(const Value& self, const Args& args, Budget& /*budget*/) {
  return view(self, args, "items()", DictView::Part::kItems);
}
Value dict_keys(const Value& self, const Args& args, Budget& /*budget*/) {
  return view(self, args, "keys()", DictView::Part::kKeys);
}
Value dict_values(const Value& self, const Args& args, Budget& /*budget*/) {
  return view(self, args, "values()", DictView::Part::kValues);
}
Value dict_get(const Value& self, const Args& args, Budget& /*budget*/) {
  if (!args.named.empty()) type_error("dict.get() takes no keyword arguments");
  const Bound bound("get()", args, {"key", "default"});
  const Value* found = self.as_dict().find(bound.need(0));
  return found != nullptr ? *found : bound.get(1, Value::none());
}

Value copy(const Value& self, const Args& args, Budget& /*budget*/) {
  const Bound none("copy()", args, {});
  return self;
}

Value sequence_count(const Value& self, const Args& args, Budget& budget) {
  const Bound bound("count()", args, {"value"});
  std::int64_t count = 0;
  for (const Value& candidate : self.items()) count += equal(candidate, bound.need(0), budget) ? 1 : 0;
  return Value::integer(count);
}

Value sequence_index(const Value& self, const Args& args, Budget& budget) {
  const Bound bound("index()", args, {"value", "start", "stop"});
  const auto size = static_cast<std::int64_t>(self.items().size());
  const auto clamped = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size); };
  const std::int64_t stop = clamped(bound.integer(2, size));
  for (std::int64_t i = clamped(bound.integer(1, 0)); i < stop; ++i) {
    if (equal(self.items()[static_cast<std::size_t>(i)], bound.need(0), budget)) return Value::integer(i);
  }
  raise(ErrorKind::kRuntime, "index(): the value is not in the {}", self.type_name());
}

Value bit_length(const Value& self, const Args& args, Budget& /*budget*/) {
  const Bound none("bit_length()", args, {});
  const std::int64_t value = self.as_int();
  auto magnitude = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  std::int64_t bits = 0;
  for (; magnitude > 0; magnitude >>= 1U) ++bits;
  return Value::integer(bits);
}

Value float_is_integer(const Value& self, const Args& args, Budget& /*budget*/) {
  const Bound none("is_integer()", args, {});
  const double value = self.as_double();
  return Value::boolean(std::isfinite(value) && std::floor(value) == value);
}

struct Method {
  std::string_view name;
  Call call;
};

constexpr Method kDict[] = {
    {"get", dict_get}, {"items", dict_items}, {"keys", dict_keys}, {"values", dict_values}, {"copy", copy}};
constexpr Method kList[] = {{"count", sequence_count}, {"index", sequence_index}, {"copy", copy}};
constexpr Method kTuple[] = {{"count", sequence_count}, {"index", sequence_index}};
constexpr Method kInt[] = {{"bit_length", bit_length}};
constexpr Method kFloat[] = {{"is_integer", float_is_integer}};

template <std::size_t N>
Call find(const Method (&table)[N], std::string_view name) {
  for (const Method& entry : table) {
    if (entry.name == name) return entry.call;
  }
  return nullptr;
}

Call find_method(const Value& self, std::string_view name) {
  switch (self.kind()) {
    case Kind::kText:
      return find_text_method(name);
    case Kind::kDict:
      return find(kDict, name);
    case Kind::kList:
      return find(kList, name);
    case Kind::kTuple:
      return find(kTuple, name);
    case Kind::kBool:
    case Kind::kInt:
      return find(kInt, name);
    case Kind::kFloat:
      return find(kFloat, name);
    default:
      return nullptr;
  }
}

// The attributes of numbers that are not methods.
std::optional<Value> number_attribute(const Value& self, std::string_view name) {
  if (!self.is_number()) return std::nullopt;
  if (name == "real") return self.is_integral() ? Value::integer(self.as_int()) : self;
  if (name == "imag") return self.is_integral() ? Value::integer(0) : Value::real(0);
  return std::nullopt;
}

}  // namespace

std::optional<Value> method(const Value& self, std::string_view name) {
  if (const Call call = find_method(self, name)) return bind(self, name, call);
  return number_attribute(self, name);
}

}  // namespace ridge::jinja
