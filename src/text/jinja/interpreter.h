// One rendering of a template.
#pragma once

#include "text/jinja/ast.h"
#include "text/jinja/value.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::jinja {

// The variables that a block has set, over those of the block around it.
struct Scope {
  explicit Scope(std::shared_ptr<Scope> around) : parent(std::move(around)) {}
  std::map<std::string, Value, std::less<>> variables;
  std::shared_ptr<Scope> parent;
};
using ScopePtr = std::shared_ptr<Scope>;

// A macro, or the caller that a call block hands to one. It sees the variables of the place where it was defined.
struct Macro : Object {
  Macro(const Signature& of, const Block& code, ScopePtr around)
      : Object(1), signature(of), body(code), scope(std::move(around)) {}
  [[nodiscard]] std::string_view type_name() const override { return "Macro"; }
  [[nodiscard]] std::string repr(Budget& budget) const override;
  [[nodiscard]] bool callable() const override { return true; }
  std::optional<Value> attribute(std::string_view name) override;
  Value call(Interpreter& interpreter, const Args& args) override;
  void clear() override { scope->variables.clear(); }

  const Signature& signature;
  const Block& body;
  ScopePtr scope;
};

class Interpreter {
 public:
  // `context` and `options` must outlive this.
  Interpreter(const Dict& context, const Options& options);
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;
  ~Interpreter();

  std::string run(const Program& program);

  [[nodiscard]] Budget& budget() { return budget_; }
  [[nodiscard]] int line() const { return line_; }  // of what was evaluated last
  [[nodiscard]] const std::optional<std::tm>& now() const { return options_.now; }

  Value call(const Value& callee, const Args& args);
  Value apply_filter(std::string_view name, const Value& value, const Args& args);
  bool apply_test(std::string_view name, const Value& value, const Args& args);
  Value call_macro(const Macro& macro, const Args& args);
  // The text of a recursive loop's body over other items.
  Value render_loop(const Statement& statement, const Value& items, const ScopePtr& around, std::int64_t depth);

  // Keeps an object that can hold itself until the end, when it is cleared.
  void keep(std::shared_ptr<Object> object);

 private:
  enum class Flow { kNormal, kBreak, kContinue };

  // Statements (interpreter.cpp).
  Flow execute(const Block& block);
  Flow execute(const Statement& statement);
  Flow execute_if(const Statement& statement);
  void execute_for(const Statement& statement, const Value& items, const ScopePtr& around, std::int64_t depth);
  void execute_set(const Statement& statement);
  Flow execute_set_block(const Statement& statement);
  void execute_macro(const Statement& statement);
  void execute_call_block(const Statement& statement);
  Flow execute_filter_block(const Statement& statement);
  Flow execute_with(const Statement& statement);
  void print(const Value& value);
  void write(std::string_view text);
  Flow captured(const Block& block, const ScopePtr& scope, std::string& text);
  void assign(const Expression& target, const Value& value, Scope& scope);
  void bind_parameters(const Macro& macro, const Args& args, Scope& scope);

  // Expressions (evaluate.cpp).
  Value evaluate(const Expression& expression);
  Value evaluate_optional(const ExpressionPtr& expression);  // none when absent
  Value name_value(const std::string& name);
  Value container(const Expression& expression);
  Value access(const Expression& expression);
  Value logical(const Expression& expression);
  Value concatenated(const Expression& expression);
  Value compared(const Expression& expression);
  Value conditional(const Expression& expression);
  Value call_expression(const Expression& expression);
  Value filtered(const Expression& expression, const Value& value);
  Value filtered_text(const Expression& chain, const Value& text);
  Value tested(const Expression& expression);
  Args arguments(const CallArguments& arguments);

  const Dict& context_;
  const Options& options_;
  Budget budget_;
  ScopePtr scope_;
  std::string* out_ = nullptr;
  std::size_t depth_ = 0;
  int line_ = 1;
  std::vector<std::shared_ptr<Object>> kept_;
};

}  // namespace ridge::jinja
