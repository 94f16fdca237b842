// The interpreter's expressions.
#include "text/jinja/access.h"
#include "text/jinja/depth.h"
#include "text/jinja/filters.h"
#include "text/jinja/functions.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/predicates.h"
#include "text/jinja/printing.h"

namespace ridge::jinja {

Value Interpreter::evaluate(const Expression& expression) {
  const DepthGuard deeper(depth_, budget_);
  line_ = expression.line;
  switch (expression.kind) {
    case ExpressionKind::kConstant:
      return expression.constant;
    case ExpressionKind::kName:
      return name_value(expression.name);
    case ExpressionKind::kTuple:
    case ExpressionKind::kList:
    case ExpressionKind::kDict:
      return container(expression);
    case ExpressionKind::kAttribute:
    case ExpressionKind::kItem:
    case ExpressionKind::kSlice:
      return access(expression);
    case ExpressionKind::kCall:
      return call_expression(expression);
    case ExpressionKind::kFilter:
      return filtered(expression, evaluate(*expression.operands[0]));
    case ExpressionKind::kTest:
      return tested(expression);
    case ExpressionKind::kNot:
      return Value::boolean(!evaluate(*expression.operands[0]).truthy());
    case ExpressionKind::kNegate:
      return negate(evaluate(*expression.operands[0]));
    case ExpressionKind::kPlus:
      return plus(evaluate(*expression.operands[0]));
    case ExpressionKind::kArithmetic: {
      const Value left = evaluate(*expression.operands[0]);
      return arithmetic(expression.op, left, evaluate(*expression.operands[1]), budget_);
    }
    case ExpressionKind::kAnd:
    case ExpressionKind::kOr:
      return logical(expression);
    case ExpressionKind::kConcat:
      return concatenated(expression);
    case ExpressionKind::kCompare:
      return compared(expression);
    case ExpressionKind::kConditional:
      return conditional(expression);
    case ExpressionKind::kNamespaceReference:
      break;
  }
  raise(ErrorKind::kSyntax, "not an expression");
}

Value Interpreter::evaluate_optional(const ExpressionPtr& expression) {
  return expression == nullptr ? Value::none() : evaluate(*expression);
}

Value Interpreter::name_value(const std::string& name) {
  for (const Scope* scope = scope_.get(); scope != nullptr; scope = scope->parent.get()) {
    const auto found = scope->variables.find(name);
    if (found != scope->variables.end()) return found->second;
  }
  if (const Value* found = context_.find(name)) return *found;
  if (auto function = global_function(name)) return *function;
  return Value::undefined(fmt::format("'{:.100}' is undefined", name));
}

Value Interpreter::container(const Expression& expression) {
  budget_.values(expression.operands.size());
  if (expression.kind == ExpressionKind::kDict) {
    Dict dict;
    for (std::size_t i = 0; i + 1 < expression.operands.size(); i += 2) {
      const Value key = evaluate(*expression.operands[i]);
      dict.set(key, evaluate(*expression.operands[i + 1]));
    }
    return Value::dict(std::move(dict));
  }
  Values items;
  items.reserve(expression.operands.size());
  for (const auto& operand : expression.operands) items.push_back(evaluate(*operand));
  return expression.kind == ExpressionKind::kList ? Value::list(std::move(items)) : Value::tuple(std::move(items));
}

Value Interpreter::access(const Expression& expression) {
  const Value value = evaluate(*expression.operands[0]);
  if (expression.kind == ExpressionKind::kAttribute) return attribute(value, expression.name);
  if (expression.kind == ExpressionKind::kItem) return item(value, evaluate(*expression.operands[1]), budget_);
  const Value start = evaluate_optional(expression.operands[1]);
  const Value stop = evaluate_optional(expression.operands[2]);
  return slice(value, start, stop, evaluate_optional(expression.operands[3]), budget_);
}

Value Interpreter::logical(const Expression& expression) {
  Value left = evaluate(*expression.operands[0]);
  const bool decided = left.truthy() == (expression.kind == ExpressionKind::kOr);
  return decided ? left : evaluate(*expression.operands[1]);
}

Value Interpreter::concatenated(const Expression& expression) {
  std::string text;
  for (const auto& operand : expression.operands) {
    text += to_text(evaluate(*operand), budget_);
    if (text.size() > budget_.limits().max_output_bytes) budget_.text(text.size());
  }
  return Value::text(std::move(text));
}

Value Interpreter::compared(const Expression& expression) {
  Value left = evaluate(*expression.operands[0]);
  for (std::size_t i = 0; i < expression.comparisons.size(); ++i) {
    Value right = evaluate(*expression.operands[i + 1]);
    if (!compare(expression.comparisons[i], left, right, budget_)) return Value::boolean(false);
    left = std::move(right);
  }
  return Value::boolean(true);
}

Value Interpreter::conditional(const Expression& expression) {
  if (evaluate(*expression.operands[0]).truthy()) return evaluate(*expression.operands[1]);
  if (expression.operands[2] != nullptr) return evaluate(*expression.operands[2]);
  return Value::undefined("the inline if-expression evaluated to false and no else section was defined.");
}

Args Interpreter::arguments(const CallArguments& arguments) {
  Args args;
  for (const auto& argument : arguments.positional) args.positional.push_back(evaluate(*argument));
  for (const auto& [name, argument] : arguments.named) {
    for (const auto& given : args.named) {
      if (given.first == name) raise(ErrorKind::kRuntime, "keyword argument repeated: {:.100}", name);
    }
    args.named.emplace_back(name, evaluate(*argument));
  }
  if (arguments.more_positional != nullptr) {
    Values more = iterate(evaluate(*arguments.more_positional), budget_);
    args.positional.insert(args.positional.end(), more.begin(), more.end());
  }
  if (arguments.more_named != nullptr) {
    const Value more = evaluate(*arguments.more_named);
    if (!more.is(Kind::kDict)) type_error("argument after ** must be a mapping, not {}", more.type_name());
    for (const auto& [name, value] : more.as_dict().entries()) {
      if (!name.is_text()) type_error("keywords must be strings");
      args.named.emplace_back(name.as_text(), value);
    }
  }
  return args;
}

Value Interpreter::call_expression(const Expression& expression) {
  const Value callee = evaluate(*expression.operands[0]);
  const Args args = arguments(*expression.arguments);
  line_ = expression.line;
  return call(callee, args);
}

Value Interpreter::call(const Value& callee, const Args& args) {
  if (callee.is_undefined()) callee.fail_undefined();
  if (!callee.is(Kind::kObject) || !callee.as_object()->callable())
    type_error("'{}' object is not callable", callee.type_name());
  return callee.as_object()->call(*this, args);
}

Value Interpreter::filtered(const Expression& expression, const Value& value) {
  const Args args = arguments(*expression.arguments);
  line_ = expression.line;
  return apply_filter(expression.name, value, args);
}

// The filters of a filter block or a set block: the first of the chain takes the block's text.
Value Interpreter::filtered_text(const Expression& chain, const Value& text) {
  const DepthGuard deeper(depth_, budget_);
  const ExpressionPtr& inner = chain.operands[0];
  return filtered(chain, inner == nullptr ? text : filtered_text(*inner, text));
}

Value Interpreter::apply_filter(std::string_view name, const Value& value, const Args& args) {
  budget_.steps(1);
  const Filter filter = find_filter(name);
  if (filter == nullptr) raise(ErrorKind::kRuntime, "No filter named '{:.100}'.", name);
  return filter(*this, value, args);
}

Value Interpreter::tested(const Expression& expression) {
  const Value value = evaluate(*expression.operands[0]);
  const Args args = arguments(*expression.arguments);
  line_ = expression.line;
  return Value::boolean(apply_test(expression.name, value, args));
}

bool Interpreter::apply_test(std::string_view name, const Value& value, const Args& args) {
  budget_.steps(1);
  const Predicate predicate = find_predicate(name);
  if (predicate == nullptr) raise(ErrorKind::kRuntime, "No test named '{:.100}'.", name);
  return predicate(*this, value, args);
}

}  // namespace ridge::jinja
