#include "text/jinja/loop.h"

#include "text/jinja/objects.h"
#include "text/jinja/operators.h"

#include <algorithm>

namespace ridge::jinja {

Loop::Loop(Interpreter& running, const Statement& of, const Value& items, ScopePtr around, std::int64_t nesting,
           std::function<bool(const Value&)> accepts)
    : Object(1),
      interpreter_(running),
      statement_(of),
      scope_(std::move(around)),
      depth0_(nesting),
      accepts_(std::move(accepts)) {
  if (!accepts_) length_ = length_of(items);
  source_ = jinja::iterate(items, running.budget());
  depth = items.depth() + 1;
}

std::optional<Value> Loop::pull() {
  while (next_ < source_.size()) {
    const Value& item = source_[next_++];
    if (!accepts_ || accepts_(item)) return item;
  }
  return std::nullopt;
}

bool Loop::advance() {
  std::optional<Value> item = after_ ? std::exchange(after_, std::nullopt) : pull();
  if (!item) return false;
  ++index0_;
  before_ = std::exchange(current_, std::move(*item));
  return true;
}

const std::optional<Value>& Loop::peek() {
  if (!after_) after_ = pull();
  return after_;
}

std::optional<std::size_t> Loop::length() {
  if (!length_) {
    Values rest;
    while (auto item = pull()) rest.push_back(std::move(*item));
    source_ = std::move(rest);
    next_ = 0;
    accepts_ = nullptr;
    length_ = source_.size() + static_cast<std::size_t>(index0_ + 1) + (after_ ? 1 : 0);
  }
  return length_;
}

std::string Loop::repr(Budget& /*budget*/) const {
  return fmt::format("<LoopContext {}/{}>", index0_ + 1, length_.value_or(0));
}

std::optional<Value> Loop::position(std::string_view name) {
  if (name == "index") return Value::integer(index0_ + 1);
  if (name == "index0") return Value::integer(index0_);
  if (name == "first") return Value::boolean(index0_ == 0);
  if (name == "last") return Value::boolean(!peek());
  if (name == "length") return Value::integer_of(*length());
  if (name == "revindex") return Value::integer(static_cast<std::int64_t>(*length()) - index0_);
  if (name == "revindex0") return Value::integer(static_cast<std::int64_t>(*length()) - index0_ - 1);
  if (name == "depth") return Value::integer(depth0_ + 1);
  if (name == "depth0") return Value::integer(depth0_);
  return std::nullopt;
}

std::optional<Value> Loop::attribute(std::string_view name) {
  if (auto value = position(name)) return value;
  if (name == "previtem") return index0_ == 0 ? Value::undefined("there is no previous item") : before_;
  if (name == "nextitem") return peek() ? *peek() : Value::undefined("there is no next item");
  const auto self = shared_from_this();
  if (name == "cycle") {
    return make_function(
        "cycle", [self](Interpreter&, const Args& args) { return self->cycle(args); }, depth);
  }
  if (name == "changed") {
    return make_function(
        "changed", [self](Interpreter&, const Args& args) { return self->changed(args); }, depth);
  }
  return std::nullopt;
}

Value Loop::cycle(const Args& args) const {
  if (args.positional.empty()) type_error("no items for cycling given");
  return args.positional[static_cast<std::size_t>(index0_) % args.positional.size()];
}

Value Loop::changed(const Args& args) {
  const Value now = Value::tuple(args.positional);
  if (last_changed_ && equal(*last_changed_, now, interpreter_.budget())) return Value::boolean(false);
  if (!last_changed_) interpreter_.keep(shared_from_this());  // it may now hold itself
  last_changed_ = now;
  return Value::boolean(true);
}

Value Loop::call(Interpreter& interpreter, const Args& args) {
  if (!statement_.recursive) type_error("The loop must have the 'recursive' marker to be called recursively.");
  if (args.positional.size() != 1 || !args.named.empty()) type_error("loop() takes one iterable");
  return interpreter.render_loop(statement_, args.positional[0], scope_, depth0_ + 1);
}

// Also called when the loop has ended, so that a template that keeps `loop` does not keep the items.
void Loop::clear() {
  source_.clear();
  next_ = 0;
  after_.reset();
  last_changed_.reset();
  accepts_ = nullptr;
  current_ = Value::none();
  before_ = Value::none();
}

}  // namespace ridge::jinja
