// Operators, from the loosest to the tightest.
#include "text/jinja/nesting.h"
#include "text/jinja/parser.h"

#include <algorithm>

namespace ridge::jinja {

ExpressionPtr Parser::make(ExpressionKind kind, int line) {
  auto made = std::make_unique<Expression>();
  made->kind = kind;
  made->line = line;
  return made;
}

void Parser::add(Expression& parent, ExpressionPtr operand) {
  if (operand != nullptr) parent.depth = std::max(parent.depth, operand->depth + 1);
  if (parent.depth > kMaxExpressionDepth)
    throw Failure(ErrorKind::kLimit, fmt::format("an expression nested deeper than {} levels", kMaxExpressionDepth),
                  current().line);
  parent.operands.push_back(std::move(operand));
}

// A name, a tuple of names or, where set allows it, namespace.attribute.
ExpressionPtr Parser::target(bool with_namespace, bool until_in) {
  const int line = current().line;
  ExpressionPtr first = primary(with_namespace);
  if (current().is_operator(",")) {
    ExpressionPtr all = make(ExpressionKind::kTuple, line);
    add(*all, std::move(first));
    while (skip_operator(",")) {
      if (until_in ? current().is_name("in") : tuple_ends({}) || current().is_operator("=")) break;
      add(*all, primary(with_namespace));
    }
    first = std::move(all);
  }
  check_target(*first);
  return first;
}

void Parser::check_target(const Expression& expression) const {
  switch (expression.kind) {
    case ExpressionKind::kName:
    case ExpressionKind::kNamespaceReference:
      return;
    case ExpressionKind::kTuple:
      for (const ExpressionPtr& part : expression.operands) check_target(*part);
      return;
    default:
      fail_at(expression.line, "can't assign to what is not a name");
  }
}

bool Parser::tuple_ends(std::string_view end_name) const {
  const TokenKind kind = current().kind;
  return kind == TokenKind::kVariableEnd || kind == TokenKind::kBlockEnd || current().is_operator(")") ||
         (!end_name.empty() && current().is_name(end_name));
}

// One expression, or several with commas between, which make a tuple.
ExpressionPtr Parser::tuple(bool with_conditional, std::string_view end_name, bool parenthesized) {
  const int line = current().line;
  ExpressionPtr all = make(ExpressionKind::kTuple, line);
  bool comma = false;
  for (;;) {
    if (!all->operands.empty()) expect_operator(",");
    if (tuple_ends(end_name)) break;
    add(*all, expression(with_conditional));
    if (!current().is_operator(",")) break;
    comma = true;
  }
  if (comma) return all;
  if (!all->operands.empty()) return std::move(all->operands[0]);
  if (!parenthesized) fail(fmt::format("Expected an expression, got '{}'", described()));
  return all;
}

ExpressionPtr Parser::expression(bool with_conditional) {
  const Deeper deeper(nesting_, current().line);
  return with_conditional ? conditional() : logical_or();
}

ExpressionPtr Parser::conditional() {
  const std::size_t known = unknown_.size();
  int line = current().line;
  ExpressionPtr value = logical_or();
  while (skip_name("if")) {
    ExpressionPtr made = make(ExpressionKind::kConditional, line);
    add(*made, logical_or());
    add(*made, std::move(value));
    add(*made, skip_name("else") ? expression() : nullptr);
    value = std::move(made);
    unknown_.resize(std::min(known, unknown_.size()));  // a branch: it fails only when reached
    line = current().line;
  }
  return value;
}

ExpressionPtr Parser::logical_or() {
  const int line = current().line;
  ExpressionPtr left = logical_and();
  while (skip_name("or")) {
    ExpressionPtr made = make(ExpressionKind::kOr, line);
    add(*made, std::move(left));
    add(*made, logical_and());
    left = std::move(made);
  }
  return left;
}

ExpressionPtr Parser::logical_and() {
  const int line = current().line;
  ExpressionPtr left = logical_not();
  while (skip_name("and")) {
    ExpressionPtr made = make(ExpressionKind::kAnd, line);
    add(*made, std::move(left));
    add(*made, logical_not());
    left = std::move(made);
  }
  return left;
}

ExpressionPtr Parser::logical_not() {
  const int line = current().line;
  if (!skip_name("not")) return comparison();
  const Deeper deeper(nesting_, line);
  ExpressionPtr made = make(ExpressionKind::kNot, line);
  add(*made, logical_not());
  return made;
}

namespace {

struct Symbol {
  std::string_view text;
  Operator op;
};
constexpr Symbol kComparisons[] = {{"==", Operator::kEqual},  {"!=", Operator::kNotEqual},
                                   {"<", Operator::kLess},    {"<=", Operator::kLessEqual},
                                   {">", Operator::kGreater}, {">=", Operator::kGreaterEqual}};
constexpr Symbol kSums[] = {{"+", Operator::kAdd}, {"-", Operator::kSubtract}};
constexpr Symbol kProducts[] = {
    {"*", Operator::kMultiply}, {"/", Operator::kDivide}, {"//", Operator::kFloorDivide}, {"%", Operator::kModulo}};

template <std::size_t N>
const Symbol* symbol_of(const Token& token, const Symbol (&table)[N]) {
  if (token.kind != TokenKind::kOperator) return nullptr;
  const auto* found = std::find_if(table, table + N, [&](const Symbol& symbol) { return symbol.text == token.text; });
  return found == table + N ? nullptr : found;
}

}  // namespace

ExpressionPtr Parser::comparison() {
  const int line = current().line;
  ExpressionPtr made = make(ExpressionKind::kCompare, line);
  add(*made, sum());
  for (;;) {
    if (const Symbol* symbol = symbol_of(current(), kComparisons)) {
      next();
      made->comparisons.push_back(symbol->op);
    } else if (skip_name("in")) {
      made->comparisons.push_back(Operator::kIn);
    } else if (current().is_name("not") && ahead().is_name("in")) {
      next();
      next();
      made->comparisons.push_back(Operator::kNotIn);
    } else {
      break;
    }
    add(*made, sum());
  }
  return made->comparisons.empty() ? std::move(made->operands[0]) : std::move(made);
}

ExpressionPtr Parser::sum() {
  const int line = current().line;
  ExpressionPtr left = concatenation();
  while (const Symbol* symbol = symbol_of(current(), kSums)) {
    next();
    ExpressionPtr made = make(ExpressionKind::kArithmetic, line);
    made->op = symbol->op;
    add(*made, std::move(left));
    add(*made, concatenation());
    left = std::move(made);
  }
  return left;
}

ExpressionPtr Parser::concatenation() {
  ExpressionPtr made = make(ExpressionKind::kConcat, current().line);
  add(*made, product());
  while (skip_operator("~")) add(*made, product());
  return made->operands.size() == 1 ? std::move(made->operands[0]) : std::move(made);
}

ExpressionPtr Parser::product() {
  const int line = current().line;
  ExpressionPtr left = power();
  while (const Symbol* symbol = symbol_of(current(), kProducts)) {
    next();
    ExpressionPtr made = make(ExpressionKind::kArithmetic, line);
    made->op = symbol->op;
    add(*made, std::move(left));
    add(*made, power());
    left = std::move(made);
  }
  return left;
}

// Left-associative, as in jinja2: 2 ** 3 ** 2 is 64.
ExpressionPtr Parser::power() {
  const int line = current().line;
  ExpressionPtr left = unary();
  while (skip_operator("**")) {
    ExpressionPtr made = make(ExpressionKind::kArithmetic, line);
    made->op = Operator::kPower;
    add(*made, std::move(left));
    add(*made, unary());
    left = std::move(made);
  }
  return left;
}

ExpressionPtr Parser::unary(bool with_filter) {
  const Deeper deeper(nesting_, current().line);
  const int line = current().line;
  ExpressionPtr value;
  if (current().is_operator("-") || current().is_operator("+")) {
    value = make(next().text == "-" ? ExpressionKind::kNegate : ExpressionKind::kPlus, line);
    add(*value, unary(false));
  } else {
    value = primary();
  }
  value = postfix(std::move(value));
  return with_filter ? filters_and_tests(std::move(value)) : std::move(value);
}

}  // namespace ridge::jinja
