// The variable `loop` inside a for loop, and the loop's own iteration.
#pragma once

#include "text/jinja/interpreter.h"

#include <functional>

namespace ridge::jinja {

struct Loop : Object, std::enable_shared_from_this<Loop> {
  // `accepts`: the loop's condition, asked item by item as they are reached; empty when there is none.
  Loop(Interpreter& running, const Statement& of, const Value& items, ScopePtr around, std::int64_t nesting,
       std::function<bool(const Value&)> accepts);

  [[nodiscard]] std::string_view type_name() const override { return "LoopContext"; }
  [[nodiscard]] std::string repr(Budget& budget) const override;
  [[nodiscard]] std::optional<std::size_t> length() override;
  std::optional<Value> attribute(std::string_view name) override;
  [[nodiscard]] bool callable() const override { return true; }
  Value call(Interpreter& interpreter, const Args& args) override;
  void clear() override;

  // To the next item; false at the end.
  bool advance();
  [[nodiscard]] const Value& current() const { return current_; }

 private:
  std::optional<Value> pull();
  const std::optional<Value>& peek();
  std::optional<Value> position(std::string_view name);
  Value cycle(const Args& args) const;
  Value changed(const Args& args);

  Interpreter& interpreter_;
  const Statement& statement_;
  ScopePtr scope_;
  std::int64_t depth0_;
  std::function<bool(const Value&)> accepts_;
  Values source_;
  std::size_t next_ = 0;
  std::optional<std::size_t> length_;
  std::int64_t index0_ = -1;
  std::optional<Value> after_;  // peeked
  Value current_;
  Value before_;
  std::optional<Value> last_changed_;
};

}  // namespace ridge::jinja
