// Filters over the items of a value.
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

Value length(Interpreter& in, const Value& value, const Args& args) {
  const Bound none("length", args, {});
  if (value.is_text()) in.budget().text(value.as_text().size());
  const auto size = length_of(value);
  if (!size) type_error("object of type '{}' has no len()", value.type_name());
  return Value::integer_of(*size);
}

Value first(Interpreter& in, const Value& value, const Args& args) {
  const Bound none("first", args, {});
  if (const auto iterator = value.as<Iterator>()) {
    const auto next = iterator->next();
    return next ? *next : Value::undefined("No first item, sequence was empty.");
  }
  const Values items = iterate(value, in.budget());
  return items.empty() ? Value::undefined("No first item, sequence was empty.") : items.front();
}

Value last(Interpreter& in, const Value& value, const Args& args) {
  const Bound none("last", args, {});
  if (value.as<Iterator>() != nullptr) type_error("'generator' object is not reversible");
  const Values items = iterate(value, in.budget());
  return items.empty() ? Value::undefined("No last item, sequence was empty.") : items.back();
}

Value list(Interpreter& in, const Value& value, const Args& args) {
  const Bound none("list", args, {});
  return Value::list(iterate(value, in.budget()));
}

Value reverse(Interpreter& in, const Value& value, const Args& args) {
  const Bound none("reverse", args, {});
  Values items = iterate(value, in.budget());
  std::reverse(items.begin(), items.end());
  if (value.is_text()) {
    std::string out;
    for (const Value& character : items) out += character.as_text();
    return Value::text(std::move(out), value.is_safe());
  }
  return value.as<Iterator>() != nullptr ? Value::list(std::move(items)) : make_iterator(std::move(items));
}

Value items(Interpreter& in, const Value& value, const Args& args) {
  const Bound none("items", args, {});
  if (value.is_undefined()) return make_iterator({});
  if (!value.is(Kind::kDict)) type_error("Can only get item pairs from a mapping.");
  Values pairs;
  in.budget().values(value.as_dict().entries().size() * 2);
  for (const auto& [key, item] : value.as_dict().entries()) pairs.push_back(Value::tuple({key, item}));
  return make_iterator(std::move(pairs));
}

Value without_case(const Value& value, Budget& budget) {
  if (!value.is_text()) return value;
  budget.text(value.as_text().size());
  return Value::text(unicode::lower(value.as_text()));
}

// Items with the keys that they sort by.
struct Keyed {
  Values keys;
  Value item;
};

Values sorted(std::vector<Keyed> entries, bool descending, Budget& budget) {
  const auto before = [&](const Keyed& left, const Keyed& right) {
    for (std::size_t i = 0; i < left.keys.size(); ++i) {
      if (equal(left.keys[i], right.keys[i], budget)) continue;
      return less(left.keys[i], right.keys[i], budget);
    }
    return false;
  };
  // Both directions are stable: equal items keep their order.
  std::stable_sort(entries.begin(), entries.end(), [&](const Keyed& left, const Keyed& right) {
    return descending ? before(right, left) : before(left, right);
  });
  Values result;
  for (Keyed& entry : entries) result.push_back(std::move(entry.item));
  return result;
}

// "a,b.c" names several attributes to sort by.
Values attribute_list(const Value& attribute) {
  if (!attribute.is_text()) return {attribute};
  Values paths;
  std::string_view rest = attribute.as_text();
  for (;;) {
    const std::size_t comma = rest.find(',');
    paths.push_back(Value::text(std::string(rest.substr(0, comma))));
    if (comma == std::string_view::npos) return paths;
    rest.remove_prefix(comma + 1);
  }
}

Value sort(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("sort", args, {"reverse", "case_sensitive", "attribute"});
  const Values paths = attribute_list(bound.get(2, Value::none()));
  std::vector<Keyed> entries;
  for (Value& item : iterate(value, in.budget())) {
    Keyed entry{{}, item};
    for (const Value& path : paths) {
      const Value key = attribute_path(item, path, nullptr, in.budget());
      entry.keys.push_back(bound.truth(1) ? key : without_case(key, in.budget()));
    }
    entries.push_back(std::move(entry));
  }
  return Value::list(sorted(std::move(entries), bound.truth(0), in.budget()));
}

Value dict_sort(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("dictsort", args, {"case_sensitive", "by", "reverse"});
  if (value.is_undefined()) value.fail_undefined();
  if (!value.is(Kind::kDict)) type_error("'{}' object has no attribute 'items'", value.type_name());
  const std::string by = bound.has(1) ? bound.need_text(1) : "key";
  if (by != "key" && by != "value") raise(ErrorKind::kRuntime, "You can only sort by either \"key\" or \"value\"");
  std::vector<Keyed> entries;
  for (const auto& [key, item] : value.as_dict().entries()) {
    const Value& chosen = by == "key" ? key : item;
    entries.push_back({{bound.truth(0) ? chosen : without_case(chosen, in.budget())}, Value::tuple({key, item})});
  }
  return Value::list(sorted(std::move(entries), bound.truth(2), in.budget()));
}

Value unique(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("unique", args, {"case_sensitive", "attribute"});
  Dict seen;
  Values kept;
  for (Value& item : iterate(value, in.budget())) {
    Value key = attribute_path(item, bound.get(1, Value::none()), nullptr, in.budget());
    if (!bound.truth(0)) key = without_case(key, in.budget());
    if (seen.find(key) != nullptr) continue;
    seen.set(key, Value::none());
    kept.push_back(std::move(item));
  }
  return make_iterator(std::move(kept));
}

Value extreme(Interpreter& in, const Value& value, const Args& args, bool largest) {
  const Bound bound(largest ? "max" : "min", args, {"case_sensitive", "attribute"});
  const Values candidates = iterate(value, in.budget());
  if (candidates.empty()) return Value::undefined("No aggregated item, sequence was empty.");
  const auto key_of = [&](const Value& item) {
    const Value key = attribute_path(item, bound.get(1, Value::none()), nullptr, in.budget());
    return bound.truth(0) ? key : without_case(key, in.budget());
  };
  std::size_t best = 0;
  Value best_key = key_of(candidates[0]);
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    Value key = key_of(candidates[i]);
    if (largest ? !less(best_key, key, in.budget()) : !less(key, best_key, in.budget())) continue;
    best = i;
    best_key = std::move(key);
  }
  return candidates[best];
}
Value minimum(Interpreter& in, const Value& value, const Args& args) {
  return extreme(in, value, args, false);
}
Value maximum(Interpreter& in, const Value& value, const Args& args) {
  return extreme(in, value, args, true);
}

Value batch(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("batch", args, {"linecount", "fill_with"});
  bound.need(0);
  const std::int64_t size = bound.integer(0, 0);
  Values rows;
  Values row;
  for (Value& item : iterate(value, in.budget())) {
    if (static_cast<std::int64_t>(row.size()) == size) rows.push_back(Value::list(std::exchange(row, {})));
    row.push_back(std::move(item));
  }
  if (!row.empty()) {
    if (bound.given(1) && size > static_cast<std::int64_t>(row.size())) {
      in.budget().values(static_cast<std::size_t>(size));
      row.resize(static_cast<std::size_t>(size), bound.need(1));
    }
    rows.push_back(Value::list(std::move(row)));
  }
  return make_iterator(std::move(rows));
}

Value slice(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("slice", args, {"slices", "fill_with"});
  bound.need(0);
  const Values all = iterate(value, in.budget());
  const std::int64_t count = bound.integer(0, 0);
  if (count == 0) raise(ErrorKind::kRuntime, "integer division or modulo by zero");
  const auto slices = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
  in.budget().values(slices * 2);
  Values columns;
  std::size_t at = 0;
  for (std::size_t i = 0; i < slices; ++i) {
    const bool longer = i < all.size() % slices;
    const std::size_t size = all.size() / slices + (longer ? 1 : 0);
    Values column(all.begin() + static_cast<std::ptrdiff_t>(at), all.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += size;
    if (bound.given(1) && !longer) column.push_back(bound.need(1));
    columns.push_back(Value::list(std::move(column)));
  }
  return make_iterator(std::move(columns));
}

}  // namespace

Filter find_sequence_filter(std::string_view name) {
  static const std::unordered_map<std::string_view, Filter> kFilters = {
      {"batch", batch},     {"count", length},  {"dictsort", dict_sort}, {"first", first},   {"items", items},
      {"last", last},       {"length", length}, {"list", list},          {"max", maximum},   {"min", minimum},
      {"reverse", reverse}, {"slice", slice},   {"sort", sort},          {"unique", unique},
  };
  const auto found = kFilters.find(name);
  return found == kFilters.end() ? nullptr : found->second;
}

}  // namespace ridge::jinja
