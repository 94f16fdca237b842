#include "text/jinja/operators.h"

#include <algorithm>
#include <cstring>

namespace ridge::jinja {
namespace {

enum class Order { kLess, kEqual, kGreater, kUnordered };

// long double holds every 64-bit integer and every double exactly.
long double exact(const Value& value) {
  return value.is(Kind::kFloat) ? static_cast<long double>(value.as_double())
                                : static_cast<long double>(value.as_int());
}

bool equal_items(const Values& left, const Values& right, Budget& budget) {
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!left[i].same_object(right[i]) && !equal(left[i], right[i], budget)) return false;
  }
  return true;
}

bool equal_dicts(const Dict& left, const Dict& right, Budget& budget) {
  if (left.entries().size() != right.entries().size()) return false;
  for (const auto& [key, value] : left.entries()) {
    const Value* other = right.find(key);
    if (other == nullptr || !(value.same_object(*other) || equal(value, *other, budget))) return false;
  }
  return true;
}

template <class T>
Order order_of(const T& left, const T& right) {
  if (left < right) return Order::kLess;
  if (right < left) return Order::kGreater;
  return left == right ? Order::kEqual : Order::kUnordered;
}

Order order(const Value& left, const Value& right, const char* symbol, Budget& budget) {
  budget.steps(1);
  if (left.is_undefined()) left.fail_undefined();
  if (right.is_undefined()) right.fail_undefined();
  if (left.is_number() && right.is_number()) return order_of(exact(left), exact(right));
  if (left.is_text() && right.is_text()) {
    budget.text(std::min(left.as_text().size(), right.as_text().size()));
    // Bytes of UTF-8 sort as code points do.
    return order_of(left.as_text().compare(right.as_text()), 0);
  }
  if (!left.is_sequence() || left.kind() != right.kind()) {
    type_error("'{}' not supported between instances of '{}' and '{}'", symbol, left.type_name(), right.type_name());
  }
  const Values& a = left.items();
  const Values& b = right.items();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (!equal(a[i], b[i], budget)) return order(a[i], b[i], symbol, budget);
  }
  return order_of(a.size(), b.size());
}

}  // namespace

std::size_t find_text(std::string_view text, std::string_view needle, std::size_t from) {
  if (from > text.size()) return std::string_view::npos;
  if (needle.empty()) return from;
  // memmem is linear (two-way search); std::string_view::find is quadratic on hostile text.
  const void* found = ::memmem(text.data() + from, text.size() - from, needle.data(), needle.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

bool equal(const Value& left, const Value& right, Budget& budget) {
  budget.steps(1);
  if (left.is_number() && right.is_number()) return exact(left) == exact(right);
  if (left.kind() != right.kind()) return false;
  switch (left.kind()) {
    case Kind::kUndefined:
    case Kind::kNone:
      return true;
    case Kind::kText:
      if (left.as_text().size() != right.as_text().size()) return false;
      budget.text(left.as_text().size());
      return left.as_text() == right.as_text();
    case Kind::kList:
    case Kind::kTuple:
      return equal_items(left.items(), right.items(), budget);
    case Kind::kDict:
      return equal_dicts(left.as_dict(), right.as_dict(), budget);
    default:
      return left.same_object(right);
  }
}

bool less(const Value& left, const Value& right, Budget& budget) {
  return order(left, right, "<", budget) == Order::kLess;
}

bool contains(const Value& container, const Value& item, Budget& budget) {
  if (container.is_text()) {
    if (!item.is_text()) type_error("'in <string>' requires string as left operand, not {}", item.type_name());
    budget.text(container.as_text().size());
    return find_text(container.as_text(), item.as_text(), 0) != std::string_view::npos;
  }
  if (container.is(Kind::kDict)) return container.as_dict().find(item) != nullptr;
  if (!container.is_sequence() && !container.is_undefined() && !container.is(Kind::kObject)) {
    type_error("argument of type '{}' is not iterable", container.type_name());
  }
  const Values items = iterate(container, budget);
  return std::any_of(items.begin(), items.end(), [&](const Value& candidate) {
    return candidate.same_object(item) || equal(candidate, item, budget);
  });
}

bool compare(Operator op, const Value& left, const Value& right, Budget& budget) {
  switch (op) {
    case Operator::kEqual:
      return equal(left, right, budget);
    case Operator::kNotEqual:
      return !equal(left, right, budget);
    case Operator::kIn:
      return contains(right, left, budget);
    case Operator::kNotIn:
      return !contains(right, left, budget);
    case Operator::kLess:
      return order(left, right, "<", budget) == Order::kLess;
    case Operator::kGreater:
      return order(left, right, ">", budget) == Order::kGreater;
    default:
      break;
  }
  const bool up = op == Operator::kLessEqual;
  const Order found = order(left, right, up ? "<=" : ">=", budget);
  return found == Order::kEqual || found == (up ? Order::kLess : Order::kGreater);
}

std::string escape_html(std::string_view text, Budget& budget) {
  std::string out;
  budget.text(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&#34;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string escaped_beside(const Value& text, bool other_is_safe, Budget& budget) {
  return other_is_safe && !text.is_safe() ? escape_html(text.as_text(), budget) : text.as_text();
}

SliceRange slice_range(const Value& start, const Value& stop, const Value& step, std::size_t length) {
  const auto bound = [](const Value& value) { return value.is_none() ? std::nullopt : std::optional(value.as_int()); };
  const std::int64_t by = bound(step).value_or(1);
  if (by == 0) raise(ErrorKind::kRuntime, "slice step cannot be zero");
  const auto size = static_cast<std::int64_t>(length);
  const std::int64_t low = by > 0 ? 0 : -1;
  const std::int64_t high = by > 0 ? size : size - 1;
  const auto clamp = [&](std::optional<std::int64_t> at, std::int64_t fallback) {
    if (!at) return fallback;
    return std::clamp(*at < 0 ? *at + size : *at, low, high);
  };
  const std::int64_t first = clamp(bound(start), by > 0 ? low : high);
  const std::int64_t last = clamp(bound(stop), by > 0 ? high : low);
  const std::int64_t span = by > 0 ? last - first : first - last;
  if (span <= 0) return {first, by, 0};
  const std::uint64_t stride = by > 0 ? static_cast<std::uint64_t>(by) : 0 - static_cast<std::uint64_t>(by);
  return {first, by, static_cast<std::size_t>((static_cast<std::uint64_t>(span) - 1) / stride + 1)};
}

}  // namespace ridge::jinja
