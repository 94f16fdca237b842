// Names, literals, and what may follow them: attributes, items, calls, filters and tests.
#include "text/jinja/filters.h"
#include "text/jinja/nesting.h"
#include "text/jinja/number.h"
#include "text/jinja/parser.h"
#include "text/jinja/predicates.h"

#include <algorithm>

namespace ridge::jinja {

ExpressionPtr Parser::primary(bool with_namespace) {
  if (current().kind == TokenKind::kName) return name_expression(with_namespace);
  if (current().is_operator("[")) return list();
  if (current().is_operator("{")) return dict();
  if (skip_operator("(")) {
    ExpressionPtr inside = tuple(true, {}, true);
    expect_operator(")");
    return inside;
  }
  return literal();
}

ExpressionPtr Parser::name_expression(bool with_namespace) {
  const Token token = next();
  ExpressionPtr made = make(ExpressionKind::kConstant, token.line);
  if (token.text == "true" || token.text == "True") {
    made->constant = Value::boolean(true);
  } else if (token.text == "false" || token.text == "False") {
    made->constant = Value::boolean(false);
  } else if (token.text == "none" || token.text == "None") {
    made->constant = Value::none();
  } else {
    made->kind = ExpressionKind::kName;
    made->name = token.text;
    if (with_namespace && skip_operator(".")) {
      made->kind = ExpressionKind::kNamespaceReference;
      made->attribute = take_name();
    }
    for (Signature* function : functions_) {
      function->uses_caller = function->uses_caller || token.text == "caller";
      function->uses_varargs = function->uses_varargs || token.text == "varargs";
      function->uses_kwargs = function->uses_kwargs || token.text == "kwargs";
    }
  }
  return made;
}

ExpressionPtr Parser::literal() {
  ExpressionPtr made = make(ExpressionKind::kConstant, current().line);
  std::string digits = current().text;
  switch (current().kind) {
    case TokenKind::kText: {
      std::string text;
      while (current().kind == TokenKind::kText) text += next().text;
      made->constant = Value::text(std::move(text));
      return made;
    }
    case TokenKind::kInteger: {
      try {
        made->constant = Value::integer(parse_integer(digits, 0).value_or(0));
      } catch (const Failure& failure) {
        throw Failure(failure.kind(), failure.what(), current().line);
      }
      next();
      return made;
    }
    case TokenKind::kFloat:
      made->constant = Value::real(parse_float(digits).value_or(0));
      next();
      return made;
    default:
      fail(fmt::format("unexpected '{}'", described()));
  }
}

ExpressionPtr Parser::list() {
  ExpressionPtr made = make(ExpressionKind::kList, current().line);
  expect_operator("[");
  while (!current().is_operator("]")) {
    if (!made->operands.empty()) expect_operator(",");
    if (current().is_operator("]")) break;
    add(*made, expression());
  }
  expect_operator("]");
  return made;
}

ExpressionPtr Parser::dict() {
  ExpressionPtr made = make(ExpressionKind::kDict, current().line);
  expect_operator("{");
  while (!current().is_operator("}")) {
    if (!made->operands.empty()) expect_operator(",");
    if (current().is_operator("}")) break;
    add(*made, expression());
    expect_operator(":");
    add(*made, expression());
  }
  expect_operator("}");
  return made;
}

ExpressionPtr Parser::postfix(ExpressionPtr value) {
  for (;;) {
    if (current().is_operator(".") || current().is_operator("[")) {
      value = subscript(std::move(value));
    } else if (current().is_operator("(")) {
      value = call(std::move(value));
    } else {
      return value;
    }
  }
}

ExpressionPtr Parser::filters_and_tests(ExpressionPtr value) {
  for (;;) {
    if (skip_operator("|")) {
      value = filter(std::move(value));
    } else if (current().is_name("is")) {
      value = test(std::move(value));
    } else if (current().is_operator("(")) {
      value = call(std::move(value));
    } else {
      return value;
    }
  }
}

ExpressionPtr Parser::subscript(ExpressionPtr value) {
  const int line = current().line;
  if (!skip_operator(".")) return bracketed(std::move(value), line);
  const Token name = next();
  if (name.kind == TokenKind::kName) {
    ExpressionPtr made = make(ExpressionKind::kAttribute, line);
    made->name = name.text;
    add(*made, std::move(value));
    return made;
  }
  if (name.kind != TokenKind::kInteger) fail_at(name.line, "expected name or number");
  ExpressionPtr index = make(ExpressionKind::kConstant, name.line);
  index->constant = Value::integer(parse_integer(name.text, 0).value_or(0));
  ExpressionPtr made = make(ExpressionKind::kItem, line);
  add(*made, std::move(value));
  add(*made, std::move(index));
  return made;
}

ExpressionPtr Parser::bracketed(ExpressionPtr value, int line) {
  expect_operator("[");
  if (current().is_operator(":")) return slice(std::move(value), nullptr, line);
  ExpressionPtr key = make(ExpressionKind::kTuple, line);
  while (!current().is_operator("]")) {
    if (!key->operands.empty()) expect_operator(",");
    add(*key, expression());
    if (current().is_operator(":")) {
      if (key->operands.size() > 1) fail("a slice among several subscripts is not supported");
      return slice(std::move(value), std::move(key->operands[0]), line);
    }
  }
  expect_operator("]");
  ExpressionPtr made = make(ExpressionKind::kItem, line);
  add(*made, std::move(value));
  add(*made, key->operands.size() == 1 ? std::move(key->operands[0]) : std::move(key));
  return made;
}

// From the first ':' on.
ExpressionPtr Parser::slice(ExpressionPtr value, ExpressionPtr start, int line) {
  ExpressionPtr made = make(ExpressionKind::kSlice, line);
  add(*made, std::move(value));
  add(*made, std::move(start));
  for (int bound = 0; bound < 2; ++bound) {
    const bool more = skip_operator(":");
    const bool absent = !more || current().is_operator(":") || current().is_operator("]");
    add(*made, absent ? nullptr : expression());
  }
  expect_operator("]");
  return made;
}

std::unique_ptr<CallArguments> Parser::call_arguments(Expression& owner) {
  auto arguments = std::make_unique<CallArguments>();
  const int line = current().line;
  const auto parsed = [&] {
    ExpressionPtr value = expression();
    owner.depth = std::max(owner.depth, value->depth + 1);
    return value;
  };
  const auto ensure = [&](bool holds) {
    if (!holds) fail_at(line, "invalid syntax for function call expression");
  };
  expect_operator("(");
  for (bool first = true; !current().is_operator(")"); first = false) {
    if (!first) expect_operator(",");
    if (current().is_operator(")")) break;
    const bool no_star = arguments->more_positional == nullptr && arguments->more_named == nullptr;
    if (skip_operator("*")) {
      ensure(no_star);
      arguments->more_positional = parsed();
    } else if (skip_operator("**")) {
      ensure(arguments->more_named == nullptr);
      arguments->more_named = parsed();
    } else if (current().kind == TokenKind::kName && ahead().is_operator("=")) {
      ensure(arguments->more_named == nullptr);
      std::string name = next().text;
      next();
      arguments->named.emplace_back(std::move(name), parsed());
    } else {
      ensure(no_star && arguments->named.empty());
      arguments->positional.push_back(parsed());
    }
  }
  expect_operator(")");
  return arguments;
}

ExpressionPtr Parser::call(ExpressionPtr callee) {
  ExpressionPtr made = make(ExpressionKind::kCall, current().line);
  add(*made, std::move(callee));
  made->arguments = call_arguments(*made);
  return made;
}

std::string Parser::dotted_name() {
  std::string name = take_name();
  while (skip_operator(".")) name.append(".").append(take_name());
  return name;
}

void Parser::check_known(bool known, const char* what, const std::string& name, int line) {
  if (!known && !soft_) unknown_.push_back({line, fmt::format("No {} named '{:.100}'.", what, name)});
}

// After the '|'.
ExpressionPtr Parser::filter(ExpressionPtr value) {
  ExpressionPtr made = make(ExpressionKind::kFilter, current().line);
  made->name = dotted_name();
  check_known(find_filter(made->name) != nullptr, "filter", made->name, made->line);
  add(*made, std::move(value));
  made->arguments = current().is_operator("(") ? call_arguments(*made) : std::make_unique<CallArguments>();
  return made;
}

ExpressionPtr Parser::filter_chain(ExpressionPtr value) {
  while (skip_operator("|")) value = filter(std::move(value));
  return value;
}

// An argument without parentheses: x is divisibleby 3.
bool Parser::test_argument_follows() const {
  switch (current().kind) {
    case TokenKind::kName:
      return !current().is_name("else") && !current().is_name("or") && !current().is_name("and");
    case TokenKind::kText:
    case TokenKind::kInteger:
    case TokenKind::kFloat:
      return true;
    default:
      return current().is_operator("[") || current().is_operator("{");
  }
}

ExpressionPtr Parser::test(ExpressionPtr value) {
  const int line = next().line;
  const bool negated = skip_name("not");
  ExpressionPtr made = make(ExpressionKind::kTest, line);
  made->name = dotted_name();
  check_known(find_predicate(made->name) != nullptr, "test", made->name, line);
  add(*made, std::move(value));
  made->arguments = std::make_unique<CallArguments>();
  if (current().is_operator("(")) {
    made->arguments = call_arguments(*made);
  } else if (test_argument_follows()) {
    if (current().is_name("is")) fail("You cannot chain multiple tests with is");
    ExpressionPtr argument = postfix(primary());
    made->depth = std::max(made->depth, argument->depth + 1);
    made->arguments->positional.push_back(std::move(argument));
  }
  if (!negated) return made;
  ExpressionPtr opposite = make(ExpressionKind::kNot, line);
  add(*opposite, std::move(made));
  return opposite;
}

}  // namespace ridge::jinja
