#include "text/jinja/predicates.h"

#include "text/jinja/arguments.h"
#include "text/jinja/filters.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/methods.h"
#include "text/jinja/objects.h"
#include "text/jinja/operators.h"
#include "text/jinja/printing.h"

#include <unordered_map>

namespace ridge::jinja {
namespace {

template <bool (*Holds)(const Value&)>
bool plain(Interpreter& /*in*/, const Value& value, const Args& args) {
  const Bound none("the test", args, {});
  return Holds(value);
}

bool defined(const Value& value) {
  return !value.is_undefined();
}
bool undefined(const Value& value) {
  return value.is_undefined();
}
bool none(const Value& value) {
  return value.is_none();
}
bool boolean(const Value& value) {
  return value.is(Kind::kBool);
}
bool is_true(const Value& value) {
  return value.is(Kind::kBool) && value.as_bool();
}
bool is_false(const Value& value) {
  return value.is(Kind::kBool) && !value.as_bool();
}
bool integer(const Value& value) {
  return value.is(Kind::kInt);
}
bool real(const Value& value) {
  return value.is(Kind::kFloat);
}
bool number(const Value& value) {
  return value.is_number();
}
bool text(const Value& value) {
  return value.is_text();
}
bool mapping(const Value& value) {
  return value.is(Kind::kDict);
}
bool escaped(const Value& value) {
  return value.is_safe();
}
bool callable(const Value& value) {
  return value.is_undefined() || (value.is(Kind::kObject) && value.as_object()->callable());
}
// Has a length and items by index or key. An undefined value has both, and a range, but no view of a dict.
bool sequence(const Value& value) {
  if (value.is(Kind::kObject)) return value.as<Range>() != nullptr || value.as_object()->type_name() == "_GroupTuple";
  return value.is_undefined() || value.is_text() || value.is_sequence() || value.is(Kind::kDict);
}
bool iterable(const Value& value) {
  if (!value.is(Kind::kObject)) return sequence(value);
  const std::string_view type = value.type_name();
  return sequence(value) || value.as<DictView>() != nullptr || value.as<Iterator>() != nullptr || type == "LoopContext";
}

bool remainder_is(Interpreter& in, const Value& value, const Value& divisor, std::int64_t wanted) {
  const Value rest = arithmetic(Operator::kModulo, value, divisor, in.budget());
  return equal(rest, Value::integer(wanted), in.budget());
}
bool odd(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("odd", args, {});
  return remainder_is(in, value, Value::integer(2), 1);
}
bool even(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("even", args, {});
  return remainder_is(in, value, Value::integer(2), 0);
}
bool divisible_by(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("divisibleby", args, {"num"});
  return remainder_is(in, value, bound.need(0), 0);
}

template <Operator Op>
bool compares(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("the test", args, {"other"});
  return compare(Op, value, bound.need(0), in.budget());
}

bool same_as(Interpreter& /*in*/, const Value& value, const Args& args) {
  const Bound bound("sameas", args, {"other"});
  return value.same_object(bound.need(0));
}

bool by_method(Interpreter& in, const Value& value, const Args& args, std::string_view name) {
  const Value subject = Value::text(to_text(value, in.budget()));
  return find_text_method(name)(subject, args, in.budget()).as_bool();
}
bool lower(Interpreter& in, const Value& value, const Args& args) {
  return by_method(in, value, args, "islower");
}
bool upper(Interpreter& in, const Value& value, const Args& args) {
  return by_method(in, value, args, "isupper");
}

bool is_filter(const Value& value) {
  return value.is_text() && find_filter(value.as_text()) != nullptr;
}
bool is_test(const Value& value) {
  return value.is_text() && find_predicate(value.as_text()) != nullptr;
}

}  // namespace

Predicate find_predicate(std::string_view name) {
  static const std::unordered_map<std::string_view, Predicate> kPredicates = {
      {"!=", compares<Operator::kNotEqual>},
      {"<", compares<Operator::kLess>},
      {"<=", compares<Operator::kLessEqual>},
      {"==", compares<Operator::kEqual>},
      {">", compares<Operator::kGreater>},
      {">=", compares<Operator::kGreaterEqual>},
      {"boolean", plain<boolean>},
      {"callable", plain<callable>},
      {"defined", plain<defined>},
      {"divisibleby", divisible_by},
      {"eq", compares<Operator::kEqual>},
      {"equalto", compares<Operator::kEqual>},
      {"escaped", plain<escaped>},
      {"even", even},
      {"false", plain<is_false>},
      {"filter", plain<is_filter>},
      {"float", plain<real>},
      {"ge", compares<Operator::kGreaterEqual>},
      {"greaterthan", compares<Operator::kGreater>},
      {"gt", compares<Operator::kGreater>},
      {"in", compares<Operator::kIn>},
      {"integer", plain<integer>},
      {"iterable", plain<iterable>},
      {"le", compares<Operator::kLessEqual>},
      {"lessthan", compares<Operator::kLess>},
      {"lower", lower},
      {"lt", compares<Operator::kLess>},
      {"mapping", plain<mapping>},
      {"ne", compares<Operator::kNotEqual>},
      {"none", plain<none>},
      {"number", plain<number>},
      {"odd", odd},
      {"sameas", same_as},
      {"sequence", plain<sequence>},
      {"string", plain<text>},
      {"test", plain<is_test>},
      {"true", plain<is_true>},
      {"undefined", plain<undefined>},
      {"upper", upper},
  };
  const auto found = kPredicates.find(name);
  return found == kPredicates.end() ? nullptr : found->second;
}

}  // namespace ridge::jinja
