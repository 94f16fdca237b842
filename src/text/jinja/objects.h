// The kinds of Object that carry no code of the template.
#pragma once

#include "text/jinja/value.h"

#include <functional>
#include <string>
#include <utility>

namespace ridge::jinja {

struct Range : Object {
  Range(std::int64_t first, std::int64_t by, std::size_t size) : Object(1), start(first), step(by), count(size) {}
  [[nodiscard]] std::string_view type_name() const override { return "range"; }
  [[nodiscard]] std::string repr(Budget& budget) const override;
  [[nodiscard]] bool truthy() const override { return count > 0; }
  [[nodiscard]] std::optional<std::size_t> length() override { return count; }
  std::optional<Values> iterate(Budget& budget) override;
  [[nodiscard]] std::optional<Value> item(std::int64_t index) const override;
  [[nodiscard]] Value at(std::size_t index) const;

  std::int64_t start, step;
  std::size_t count;
};

// dict.keys(), values() and items().
struct DictView : Object {
  enum class Part { kKeys, kValues, kItems };
  DictView(Value of, Part shown) : Object(of.depth() + 2), dict(std::move(of)), part(shown) {}
  [[nodiscard]] std::string_view type_name() const override;
  [[nodiscard]] std::string repr(Budget& budget) const override;
  [[nodiscard]] bool truthy() const override;
  [[nodiscard]] std::optional<std::size_t> length() override;
  std::optional<Values> iterate(Budget& budget) override;

  Value dict;
  Part part;
};

// What a generator, reversed() or iter() gives: always true, without length, used up by one pass.
struct Iterator : Object {
  explicit Iterator(Values values);
  [[nodiscard]] std::string_view type_name() const override { return "generator"; }
  std::optional<Values> iterate(Budget& budget) override;
  std::optional<Value> next();

  Values items;
  std::size_t position = 0;
};
Value make_iterator(Values values);

// The one value that a template may change: {% set ns.x = 1 %}. The interpreter clears every namespace at the end, so
// that one may hold itself; what it holds does not count for its depth.
struct Namespace : Object {
  Namespace() : Object(1) {}
  [[nodiscard]] std::string_view type_name() const override { return "Namespace"; }
  [[nodiscard]] std::string repr(Budget& budget) const override;
  std::optional<Value> attribute(std::string_view name) override;
  void clear() override { attributes.clear(); }

  Dict attributes;
  mutable bool printing = false;
};

using Body = std::function<Value(Interpreter&, const Args&)>;

// A global function or a bound method; `nesting` is the depth of what the body holds.
struct Function : Object {
  Function(std::string called, Body code, int nesting)
      : Object(nesting + 1), name(std::move(called)), body(std::move(code)) {}
  [[nodiscard]] std::string_view type_name() const override { return "builtin_function_or_method"; }
  [[nodiscard]] bool callable() const override { return true; }
  Value call(Interpreter& interpreter, const Args& args) override { return body(interpreter, args); }

  std::string name;
  Body body;
};
Value make_function(std::string name, Body body, int nesting = 0);

struct Cycler : Object, std::enable_shared_from_this<Cycler> {
  explicit Cycler(Value of) : Object(of.depth() + 1), items(std::move(of)) {}
  [[nodiscard]] std::string_view type_name() const override { return "Cycler"; }
  std::optional<Value> attribute(std::string_view name) override;

  Value items;  // a tuple, not empty
  std::size_t position = 0;
};

struct Joiner : Object {
  explicit Joiner(Value between) : Object(between.depth() + 1), separator(std::move(between)) {}
  [[nodiscard]] std::string_view type_name() const override { return "Joiner"; }
  [[nodiscard]] bool callable() const override { return true; }
  Value call(Interpreter& interpreter, const Args& args) override;

  Value separator;
  bool used = false;
};

}  // namespace ridge::jinja
