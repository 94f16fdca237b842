#include "text/jinja/interpreter.h"

#include "text/jinja/depth.h"
#include "text/jinja/loop.h"
#include "text/jinja/objects.h"
#include "text/jinja/printing.h"

#include <utility>

namespace ridge::jinja {
namespace {

// Puts a value into a member for the length of a scope.
template <class T>
class Swapped {
 public:
  Swapped(T& member, T value) : member_(member), before_(std::exchange(member, std::move(value))) {}
  Swapped(const Swapped&) = delete;
  Swapped& operator=(const Swapped&) = delete;
  ~Swapped() { member_ = std::move(before_); }

 private:
  T& member_;
  T before_;
};

}  // namespace

Interpreter::Interpreter(const Dict& context, const Options& options)
    : context_(context), options_(options), budget_(options.limits), scope_(std::make_shared<Scope>(nullptr)) {}

Interpreter::~Interpreter() {
  for (const auto& object : kept_) object->clear();
}

void Interpreter::keep(std::shared_ptr<Object> object) {
  kept_.push_back(std::move(object));
}

std::string Interpreter::run(const Program& program) {
  std::string text;
  out_ = &text;
  execute(program.body);
  return text;
}

void Interpreter::write(std::string_view text) {
  budget_.text(text.size());
  if (out_->size() + text.size() > budget_.limits().max_output_bytes) budget_.text(out_->size() + text.size());
  *out_ += text;
}

void Interpreter::print(const Value& value) {
  if (value.is_text()) return write(value.as_text());
  write(to_text(value, budget_));
}

Interpreter::Flow Interpreter::execute(const Block& block) {
  for (const auto& statement : block) {
    if (const Flow flow = execute(*statement); flow != Flow::kNormal) return flow;
  }
  return Flow::kNormal;
}

Interpreter::Flow Interpreter::execute(const Statement& statement) {
  const DepthGuard deeper(depth_, budget_);
  line_ = statement.line;
  switch (statement.kind) {
    case StatementKind::kData:
      write(statement.text);
      break;
    case StatementKind::kPrint:
      for (const auto& expression : statement.expressions) print(evaluate(*expression));
      break;
    case StatementKind::kFor:
      execute_for(statement, evaluate(*statement.expressions[0]), scope_, 0);
      break;
    case StatementKind::kIf:
      return execute_if(statement);
    case StatementKind::kSet:
      execute_set(statement);
      break;
    case StatementKind::kSetBlock:
      return execute_set_block(statement);
    case StatementKind::kMacro:
      execute_macro(statement);
      break;
    case StatementKind::kCallBlock:
      execute_call_block(statement);
      break;
    case StatementKind::kFilterBlock:
      return execute_filter_block(statement);
    case StatementKind::kWith:
      return execute_with(statement);
    case StatementKind::kGeneration: {
      const Swapped inside(scope_, std::make_shared<Scope>(scope_));
      execute(statement.body);
      break;
    }
    case StatementKind::kBreak:
      return Flow::kBreak;
    case StatementKind::kContinue:
      return Flow::kContinue;
  }
  return Flow::kNormal;
}

Interpreter::Flow Interpreter::execute_if(const Statement& statement) {
  for (const Branch& branch : statement.branches) {
    if (branch.test == nullptr || evaluate(*branch.test).truthy()) return execute(branch.body);
  }
  return Flow::kNormal;
}

void Interpreter::execute_for(const Statement& statement, const Value& items, const ScopePtr& around,
                              std::int64_t depth) {
  std::function<bool(const Value&)> accepts;
  if (statement.condition != nullptr) {
    accepts = [this, &statement, around](const Value& item) {
      const Swapped inside(scope_, std::make_shared<Scope>(around));
      assign(*statement.targets[0], item, *scope_);
      return evaluate(*statement.condition).truthy();
    };
  }
  const auto loop = std::make_shared<Loop>(*this, statement, items, around, depth, std::move(accepts));
  const Value variable = Value::object(loop);
  bool any = false;
  while (loop->advance()) {
    any = true;
    const Swapped inside(scope_, std::make_shared<Scope>(around));
    scope_->variables.insert_or_assign("loop", variable);
    assign(*statement.targets[0], loop->current(), *scope_);
    if (execute(statement.body) == Flow::kBreak) break;
  }
  loop->clear();
  if (any) return;
  const Swapped inside(scope_, std::make_shared<Scope>(around));
  execute(statement.otherwise);
}

Value Interpreter::render_loop(const Statement& statement, const Value& items, const ScopePtr& around,
                               std::int64_t depth) {
  const DepthGuard deeper(depth_, budget_);
  std::string text;
  const Swapped capture(out_, &text);
  execute_for(statement, items, around, depth);
  return Value::text(std::move(text));
}

void Interpreter::assign(const Expression& target, const Value& value, Scope& scope) {
  if (target.kind == ExpressionKind::kName) {
    scope.variables.insert_or_assign(target.name, value);
    return;
  }
  if (target.kind == ExpressionKind::kNamespaceReference) {
    const auto space = name_value(target.name).as<Namespace>();
    if (space == nullptr) raise(ErrorKind::kRuntime, "cannot assign attribute on non-namespace object");
    space->attributes.set(target.attribute, value);
    return;
  }
  const Values parts = iterate(value, budget_);
  const std::size_t wanted = target.operands.size();
  if (parts.size() > wanted) raise(ErrorKind::kRuntime, "too many values to unpack (expected {})", wanted);
  if (parts.size() < wanted)
    raise(ErrorKind::kRuntime, "not enough values to unpack (expected {}, got {})", wanted, parts.size());
  for (std::size_t i = 0; i < wanted; ++i) assign(*target.operands[i], parts[i], scope);
}

void Interpreter::execute_set(const Statement& statement) {
  const Value value = evaluate(*statement.expressions[0]);
  line_ = statement.line;
  assign(*statement.targets[0], value, *scope_);
}

// The text that a block writes. What it sets stays inside.
Interpreter::Flow Interpreter::captured(const Block& block, const ScopePtr& scope, std::string& text) {
  const Swapped inside(scope_, scope);
  const Swapped capture(out_, &text);
  return execute(block);
}

Interpreter::Flow Interpreter::execute_set_block(const Statement& statement) {
  std::string text;
  const Flow flow = captured(statement.body, std::make_shared<Scope>(scope_), text);
  if (flow != Flow::kNormal) return flow;
  Value value = Value::text(std::move(text));
  if (!statement.expressions.empty()) value = filtered_text(*statement.expressions[0], value);
  assign(*statement.targets[0], value, *scope_);
  return Flow::kNormal;
}

Interpreter::Flow Interpreter::execute_filter_block(const Statement& statement) {
  std::string text;
  const Flow flow = captured(statement.body, std::make_shared<Scope>(scope_), text);
  if (flow == Flow::kNormal) print(filtered_text(*statement.expressions[0], Value::text(std::move(text))));
  return flow;
}

Interpreter::Flow Interpreter::execute_with(const Statement& statement) {
  const auto scope = std::make_shared<Scope>(scope_);
  for (std::size_t i = 0; i < statement.targets.size(); ++i) {
    assign(*statement.targets[i], evaluate(*statement.expressions[i]), *scope);
  }
  const Swapped inside(scope_, scope);
  return execute(statement.body);
}

void Interpreter::execute_macro(const Statement& statement) {
  const auto macro = std::make_shared<Macro>(statement.signature, statement.body, scope_);
  keep(macro);  // its scope holds it
  scope_->variables.insert_or_assign(statement.signature.name, Value::object(macro));
}

void Interpreter::execute_call_block(const Statement& statement) {
  const Expression& call_site = *statement.expressions[0];
  const Value callee = evaluate(*call_site.operands[0]);
  Args args = arguments(*call_site.arguments);
  std::weak_ptr<Macro> watched;
  {
    const auto caller = std::make_shared<Macro>(statement.signature, statement.body, scope_);
    keep(caller);
    watched = caller;
    args.named.emplace_back("caller", Value::object(caller));
  }
  line_ = statement.line;
  const Value text = call(callee, args);
  args.named.clear();
  // Only a caller that the template has stored somewhere has to be kept.
  if (watched.use_count() == 1 && kept_.back() == watched.lock()) kept_.pop_back();
  print(text);
}

}  // namespace ridge::jinja
