#include "text/jinja/parser.h"

#include "text/jinja/nesting.h"

#include <algorithm>
#include <utility>

namespace ridge::jinja {
namespace {

// Restores a member when a scope ends.
template <class T>
class Restored {
 public:
  Restored(T& member, T value) : member_(member), before_(std::exchange(member, std::move(value))) {}
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;
  ~Restored() { member_ = std::move(before_); }

 private:
  T& member_;
  T before_;
};

bool listed(const Token& token, std::initializer_list<std::string_view> names) {
  return token.kind == TokenKind::kName && std::find(names.begin(), names.end(), token.text) != names.end();
}

std::unique_ptr<Statement> make_statement(StatementKind kind, int line) {
  auto statement = std::make_unique<Statement>();
  statement->kind = kind;
  statement->line = line;
  return statement;
}

}  // namespace

Program parse(std::string_view source) {
  return Parser(tokenize(source)).run();
}

Program Parser::run() {
  Program program{statements_until({})};
  if (!unknown_.empty()) fail_at(unknown_.front().line, unknown_.front().message);
  return program;
}

void Parser::fail_at(int line, const std::string& message) const {
  throw Failure(ErrorKind::kSyntax, message, line);
}
void Parser::fail(const std::string& message) const {
  fail_at(current().line, message);
}

Token Parser::next() {
  Token token = tokens_[at_];
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool Parser::skip_name(std::string_view name) {
  if (!current().is_name(name)) return false;
  next();
  return true;
}

bool Parser::skip_operator(std::string_view symbol) {
  if (!current().is_operator(symbol)) return false;
  next();
  return true;
}

std::string Parser::described() const {
  switch (current().kind) {
    case TokenKind::kEnd:
      return "end of template";
    case TokenKind::kData:
      return "template data / text";
    case TokenKind::kVariableEnd:
      return "end of print statement";
    case TokenKind::kBlockEnd:
      return "end of statement block";
    default:
      return fmt::format("{:.100}", current().text);
  }
}

void Parser::expect_operator(std::string_view symbol) {
  if (!skip_operator(symbol)) fail(fmt::format("expected token '{}', got '{}'", symbol, described()));
}

void Parser::expect_name(std::string_view name) {
  if (!skip_name(name)) fail(fmt::format("expected token '{}', got '{}'", name, described()));
}

void Parser::expect(TokenKind kind, const char* what) {
  if (current().kind != kind) fail(fmt::format("expected token '{}', got '{}'", what, described()));
  next();
}

std::string Parser::take_name() {
  if (current().kind != TokenKind::kName) fail(fmt::format("expected token 'name', got '{}'", described()));
  return next().text;
}

Block Parser::statements_until(Names end_tags) {
  Block block;
  while (current().kind != TokenKind::kEnd) {
    const int line = current().line;
    if (current().kind == TokenKind::kData) {
      block.push_back(make_statement(StatementKind::kData, line));
      block.back()->text = next().text;
    } else if (current().kind == TokenKind::kVariableBegin) {
      next();
      block.push_back(make_statement(StatementKind::kPrint, line));
      block.back()->expressions.push_back(tuple());
      expect(TokenKind::kVariableEnd, "end of print statement");
    } else {
      next();
      if (listed(current(), end_tags)) return block;
      block.push_back(statement());
      expect(TokenKind::kBlockEnd, "end of statement block");
    }
  }
  if (end_tags.size() == 0) return block;
  std::string wanted;
  for (const std::string_view tag : end_tags) wanted += fmt::format("{}'{}'", wanted.empty() ? "" : " or ", tag);
  fail(
      fmt::format("Unexpected end of template. Jinja was looking for the following tags: {}. The innermost block that "
                  "needs to be closed is '{}'.",
                  wanted, tags_.empty() ? "" : tags_.back()));
}

// The body of a statement whose tag is at hand, up to one of the end tags, which is left at hand.
Block Parser::body_until(Names end_tags) {
  skip_operator(":");
  expect(TokenKind::kBlockEnd, "end of statement block");
  return statements_until(end_tags);
}

std::unique_ptr<Statement> Parser::statement() {
  if (current().kind != TokenKind::kName) fail("tag name expected");
  const Deeper deeper(nesting_, current().line);
  const Token tag = next();
  tags_.push_back(tag.text);
  std::unique_ptr<Statement> made;
  if (tag.text == "for")
    made = for_statement(tag.line);
  else if (tag.text == "if")
    made = if_statement(tag.line);
  else if (tag.text == "set")
    made = set_statement(tag.line);
  else if (tag.text == "macro")
    made = macro_statement(tag.line);
  else if (tag.text == "call")
    made = call_statement(tag.line);
  else if (tag.text == "filter")
    made = filter_statement(tag.line);
  else if (tag.text == "with")
    made = with_statement(tag.line);
  else if (tag.text == "print")
    made = print_statement(tag.line);
  else if (tag.text == "generation")
    made = generation_statement(tag.line);
  else if (tag.text == "break")
    made = loop_control(StatementKind::kBreak, tag.line);
  else if (tag.text == "continue")
    made = loop_control(StatementKind::kContinue, tag.line);
  else if (listed(tag, {"block", "extends", "include", "import", "from", "autoescape"}))
    fail_at(tag.line, fmt::format("the tag '{}' is not supported in chat templates", tag.text));
  else
    fail_at(tag.line, fmt::format("Encountered unknown tag '{:.100}'.", tag.text));
  tags_.pop_back();
  return made;
}

std::unique_ptr<Statement> Parser::for_statement(int line) {
  auto made = make_statement(StatementKind::kFor, line);
  made->targets.push_back(target(false, true));
  expect_name("in");
  made->expressions.push_back(tuple(false, "recursive"));
  const Restored hard(soft_, false);
  if (skip_name("if")) made->condition = expression();
  made->recursive = skip_name("recursive");
  {
    const Restored inside(loops_, loops_ + 1);
    made->body = body_until({"endfor", "else"});
  }
  if (next().text == "else") {
    made->otherwise = body_until({"endfor"});
    next();
  }
  return made;
}

std::unique_ptr<Statement> Parser::if_statement(int line) {
  auto made = make_statement(StatementKind::kIf, line);
  const Restored soft(soft_, true);
  for (;;) {
    Branch branch{tuple(false), {}};
    branch.body = body_until({"elif", "else", "endif"});
    made->branches.push_back(std::move(branch));
    const Token tag = next();
    if (tag.text == "elif") continue;
    if (tag.text == "else") {
      made->branches.push_back({nullptr, body_until({"endif"})});
      next();
    }
    return made;
  }
}

std::unique_ptr<Statement> Parser::set_statement(int line) {
  auto made = make_statement(StatementKind::kSet, line);
  made->targets.push_back(target(true, false));
  if (skip_operator("=")) {
    made->expressions.push_back(tuple());
    return made;
  }
  made->kind = StatementKind::kSetBlock;
  const Restored hard(soft_, false);
  if (current().is_operator("|")) made->expressions.push_back(filter_chain(nullptr));
  made->body = body_until({"endset"});
  next();
  return made;
}

void Parser::parameters(Signature& signature) {
  expect_operator("(");
  while (!current().is_operator(")")) {
    if (!signature.parameters.empty()) expect_operator(",");
    Parameter parameter{take_name(), nullptr};
    if (skip_operator("=")) {
      parameter.fallback = expression();
    } else if (!signature.parameters.empty() && signature.parameters.back().fallback != nullptr) {
      fail("non-default argument follows default argument");
    }
    signature.parameters.push_back(std::move(parameter));
  }
  expect_operator(")");
}

// The body of a macro, a call block or a generation block: a function of its own, which a loop around it does not
// reach.
void Parser::function_body(Statement& statement, Names end_tags) {
  const Restored outside(loops_, 0);
  const Restored hard(soft_, false);
  functions_.push_back(&statement.signature);
  statement.body = body_until(end_tags);
  functions_.pop_back();
  next();
}

std::unique_ptr<Statement> Parser::macro_statement(int line) {
  auto made = make_statement(StatementKind::kMacro, line);
  made->signature.name = take_name();
  parameters(made->signature);
  function_body(*made, {"endmacro"});
  return made;
}

std::unique_ptr<Statement> Parser::call_statement(int line) {
  auto made = make_statement(StatementKind::kCallBlock, line);
  if (current().is_operator("(")) parameters(made->signature);
  made->expressions.push_back(expression());
  if (made->expressions[0]->kind != ExpressionKind::kCall) fail_at(line, "expected call");
  function_body(*made, {"endcall"});
  return made;
}

std::unique_ptr<Statement> Parser::generation_statement(int line) {
  auto made = make_statement(StatementKind::kGeneration, line);
  function_body(*made, {"endgeneration"});
  return made;
}

std::unique_ptr<Statement> Parser::filter_statement(int line) {
  auto made = make_statement(StatementKind::kFilterBlock, line);
  const Restored hard(soft_, false);
  made->expressions.push_back(filter_chain(filter(nullptr)));
  made->body = body_until({"endfilter"});
  next();
  return made;
}

std::unique_ptr<Statement> Parser::with_statement(int line) {
  auto made = make_statement(StatementKind::kWith, line);
  while (current().kind != TokenKind::kBlockEnd && current().kind != TokenKind::kEnd) {
    if (!made->targets.empty()) expect_operator(",");
    made->targets.push_back(target(false, false));
    expect_operator("=");
    made->expressions.push_back(expression());
  }
  const Restored hard(soft_, false);
  made->body = body_until({"endwith"});
  next();
  return made;
}

std::unique_ptr<Statement> Parser::print_statement(int line) {
  auto made = make_statement(StatementKind::kPrint, line);
  while (current().kind != TokenKind::kBlockEnd && current().kind != TokenKind::kEnd) {
    if (!made->expressions.empty()) expect_operator(",");
    made->expressions.push_back(expression());
  }
  return made;
}

std::unique_ptr<Statement> Parser::loop_control(StatementKind kind, int line) {
  if (loops_ == 0) fail_at(line, "break or continue outside of a loop");
  return make_statement(kind, line);
}

}  // namespace ridge::jinja
