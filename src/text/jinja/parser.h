// The grammar of templates, as jinja2's parser has it.
#pragma once

#include "text/jinja/ast.h"
#include "text/jinja/lexer.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::jinja {

// Throws Failure with its line.
Program parse(std::string_view source);

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}
  Program run();

 private:
  using Names = std::initializer_list<std::string_view>;

  // Tokens.
  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void fail_at(int line, const std::string& message) const;
  [[nodiscard]] const Token& current() const { return tokens_[at_]; }
  [[nodiscard]] const Token& ahead() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  Token next();
  bool skip_name(std::string_view name);
  bool skip_operator(std::string_view symbol);
  void expect_operator(std::string_view symbol);
  void expect_name(std::string_view name);
  void expect(TokenKind kind, const char* what);
  std::string take_name();
  [[nodiscard]] std::string described() const;

  // Statements (parser.cpp).
  Block statements_until(Names end_tags);
  Block body_until(Names end_tags);
  std::unique_ptr<Statement> statement();
  std::unique_ptr<Statement> for_statement(int line);
  std::unique_ptr<Statement> if_statement(int line);
  std::unique_ptr<Statement> set_statement(int line);
  std::unique_ptr<Statement> macro_statement(int line);
  std::unique_ptr<Statement> call_statement(int line);
  std::unique_ptr<Statement> filter_statement(int line);
  std::unique_ptr<Statement> with_statement(int line);
  std::unique_ptr<Statement> print_statement(int line);
  std::unique_ptr<Statement> generation_statement(int line);
  std::unique_ptr<Statement> loop_control(StatementKind kind, int line);
  void parameters(Signature& signature);
  void function_body(Statement& statement, Names end_tags);

  // Expressions (parser_expressions.cpp).
  ExpressionPtr make(ExpressionKind kind, int line);
  void add(Expression& parent, ExpressionPtr operand);
  ExpressionPtr target(bool with_namespace, bool until_in);
  void check_target(const Expression& expression) const;
  ExpressionPtr tuple(bool with_conditional = true, std::string_view end_name = {}, bool parenthesized = false);
  ExpressionPtr expression(bool with_conditional = true);
  ExpressionPtr conditional();
  ExpressionPtr logical_or();
  ExpressionPtr logical_and();
  ExpressionPtr logical_not();
  ExpressionPtr comparison();
  ExpressionPtr sum();
  ExpressionPtr concatenation();
  ExpressionPtr product();
  ExpressionPtr power();
  ExpressionPtr unary(bool with_filter = true);
  ExpressionPtr primary(bool with_namespace = false);
  ExpressionPtr name_expression(bool with_namespace);
  ExpressionPtr literal();
  ExpressionPtr list();
  ExpressionPtr dict();
  ExpressionPtr postfix(ExpressionPtr value);
  ExpressionPtr filters_and_tests(ExpressionPtr value);
  ExpressionPtr subscript(ExpressionPtr value);
  ExpressionPtr bracketed(ExpressionPtr value, int line);
  ExpressionPtr slice(ExpressionPtr value, ExpressionPtr start, int line);
  ExpressionPtr call(ExpressionPtr callee);
  ExpressionPtr filter(ExpressionPtr value);
  ExpressionPtr filter_chain(ExpressionPtr value);
  ExpressionPtr test(ExpressionPtr value);
  std::string dotted_name();
  std::unique_ptr<CallArguments> call_arguments(Expression& owner);
  [[nodiscard]] bool tuple_ends(std::string_view end_name) const;
  [[nodiscard]] bool test_argument_follows() const;
  void check_known(bool known, const char* what, const std::string& name, int line);

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int nesting_ = 0;
  int loops_ = 0;                      // enclosing loops that break and continue reach
  bool soft_ = false;                  // in a branch: what is unknown here fails only when it is reached
  std::vector<std::string> tags_;      // open tags, for errors
  std::vector<Signature*> functions_;  // enclosing macros and callers
  struct Unknown {
    int line;
    std::string message;
  };
  std::vector<Unknown> unknown_;  // filters and tests outside of branches that do not exist
};

}  // namespace ridge::jinja
