// Filters that apply another filter, a test or an attribute to each item; and default.
#include "text/jinja/access.h"
#include "text/jinja/arguments.h"
#include "text/jinja/filters.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/objects.h"
#include "text/jinja/operators.h"
#include "text/jinja/unicode.h"

#include <algorithm>
#include <unordered_map>

namespace ridge::jinja {
namespace {

Value default_value(Interpreter& /*in*/, const Value& value, const Args& args) {
  const Bound bound("default", args, {"default_value", "boolean"});
  const bool replaced = value.is_undefined() || (bound.truth(1) && !value.truthy());
  return replaced ? bound.get(0, Value::text("")) : value;
}

Value attribute_filter(Interpreter& /*in*/, const Value& value, const Args& args) {
  const Bound bound("attr", args, {"name"});
  const std::string& name = bound.need_text(0);
  // Attributes only: an item of a dict does not count.
  const bool item_only = value.is(Kind::kDict) && attribute(Value::dict({}), name).is_undefined();
  return attribute(item_only ? Value::dict({}) : value, name);
}

Args after(const Args& args, std::size_t count) {
  Args rest = args;
  rest.positional.erase(rest.positional.begin(), rest.positional.begin() + static_cast<std::ptrdiff_t>(count));
  return rest;
}

const Value* named(const Args& args, std::string_view name) {
  for (const auto& [key, value] : args.named) {
    if (key == name) return &value;
  }
  return nullptr;
}

Value map(Interpreter& in, const Value& value, const Args& args) {
  Values results;
  if (!value.truthy()) return make_iterator({});
  const Value* path = args.positional.empty() ? named(args, "attribute") : nullptr;
  if (path != nullptr) {
    const Bound bound("map", args, {"attribute", "default"});
    for (const Value& item : iterate(value, in.budget())) {
      results.push_back(attribute_path(item, *path, bound.has(1) ? &bound.need(1) : nullptr, in.budget()));
    }
    return make_iterator(std::move(results));
  }
  if (args.positional.empty() || !args.positional[0].is_text())
    raise(ErrorKind::kRuntime, "map requires a filter argument");
  const std::string name = args.positional[0].as_text();
  const Args rest = after(args, 1);
  for (const Value& item : iterate(value, in.budget())) results.push_back(in.apply_filter(name, item, rest));
  return make_iterator(std::move(results));
}

Value selection(Interpreter& in, const Value& value, const Args& args, bool by_attribute, bool wanted) {
  if (!value.truthy()) return make_iterator({});
  const std::size_t offset = by_attribute ? 1 : 0;
  if (args.positional.size() < offset) raise(ErrorKind::kRuntime, "Missing parameter for attribute name");
  const Value path = by_attribute ? args.positional[0] : Value::none();
  const bool tested = args.positional.size() > offset;
  if (tested && !args.positional[offset].is_text()) type_error("the name of a test must be str");
  const std::string test = tested ? args.positional[offset].as_text() : "";
  const Args rest = tested ? after(args, offset + 1) : Args{};
  Values kept;
  for (Value& item : iterate(value, in.budget())) {
    const Value subject = attribute_path(item, path, nullptr, in.budget());
    const bool holds = tested ? in.apply_test(test, subject, rest) : subject.truthy();
    if (holds == wanted) kept.push_back(std::move(item));
  }
  return make_iterator(std::move(kept));
}
Value select(Interpreter& in, const Value& value, const Args& args) {
  return selection(in, value, args, false, true);
}
Value reject(Interpreter& in, const Value& value, const Args& args) {
  return selection(in, value, args, false, false);
}
Value select_attribute(Interpreter& in, const Value& value, const Args& args) {
  return selection(in, value, args, true, true);
}
Value reject_attribute(Interpreter& in, const Value& value, const Args& args) {
  return selection(in, value, args, true, false);
}

// What groupby gives: a tuple whose parts have names too.
struct Group : Object {
  Group(Value by, Value members)
      : Object(std::max(by.depth(), members.depth()) + 1), grouper(std::move(by)), list(std::move(members)) {}
  [[nodiscard]] std::string_view type_name() const override { return "_GroupTuple"; }
  std::optional<std::size_t> length() override { return 2; }
  std::optional<Values> iterate(Budget& /*budget*/) override { return Values{grouper, list}; }
  [[nodiscard]] std::optional<Value> item(std::int64_t index) const override {
    if (index == 0 || index == -2) return grouper;
    if (index == 1 || index == -1) return list;
    return std::nullopt;
  }
  std::optional<Value> attribute(std::string_view name) override {
    if (name == "grouper") return grouper;
    if (name == "list") return list;
    return std::nullopt;
  }

  Value grouper;
  Value list;
};

Value group_by(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("groupby", args, {"attribute", "default", "case_sensitive"});
  Budget& budget = in.budget();
  const Value* fallback = bound.has(1) ? &bound.need(1) : nullptr;
  struct Entry {
    Value key;
    Value shown;
    Value item;
  };
  std::vector<Entry> entries;
  for (Value& item : iterate(value, budget)) {
    const Value shown = attribute_path(item, bound.need(0), fallback, budget);
    const bool fold = shown.is_text() && !bound.truth(2);
    entries.push_back({fold ? Value::text(unicode::lower(shown.as_text())) : shown, shown, std::move(item)});
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const Entry& left, const Entry& right) { return less(left.key, right.key, budget); });
  Values groups;
  for (std::size_t begin = 0; begin < entries.size();) {
    std::size_t end = begin;
    Values members;
    for (; end < entries.size() && equal(entries[begin].key, entries[end].key, budget); ++end) {
      members.push_back(entries[end].item);
    }
    if (end == begin) members.push_back(entries[end++].item);  // a key unequal to itself, NaN
    groups.push_back(Value::object(std::make_shared<Group>(entries[begin].shown, Value::list(std::move(members)))));
    begin = end;
  }
  return Value::list(std::move(groups));
}

}  // namespace

Filter find_selection_filter(std::string_view name) {
  static const std::unordered_map<std::string_view, Filter> kFilters = {
      {"attr", attribute_filter},
      {"d", default_value},
      {"default", default_value},
      {"groupby", group_by},
      {"map", map},
      {"reject", reject},
      {"rejectattr", reject_attribute},
      {"select", select},
      {"selectattr", select_attribute},
  };
  const auto found = kFilters.find(name);
  return found == kFilters.end() ? nullptr : found->second;
}

}  // namespace ridge::jinja
