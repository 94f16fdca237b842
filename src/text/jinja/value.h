// Values of the template language, with Python's meaning: immutable containers, code-point strings, 64-bit integers.
#pragma once

#include "text/jinja/budget.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace ridge::jinja {

class Interpreter;
class Value;
class Dict;
struct Args;
using Values = std::vector<Value>;

// Containers deeper than this are refused, so that recursion over a value is bounded.
inline constexpr int kMaxValueDepth = 256;

enum class Kind { kUndefined, kNone, kBool, kInt, kFloat, kText, kList, kTuple, kDict, kObject };

// Any value that is not plain data: ranges, dict views, iterators, namespaces, functions, macros, loops.
struct Object {
  explicit Object(int nesting) : depth(nesting) {}
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;

  [[nodiscard]] virtual std::string_view type_name() const = 0;
  [[nodiscard]] virtual std::string repr(Budget& budget) const;
  [[nodiscard]] virtual bool truthy() const { return true; }
  [[nodiscard]] virtual std::optional<std::size_t> length() { return std::nullopt; }
  // Nothing when it cannot be iterated. An iterator is used up by this.
  virtual std::optional<Values> iterate(Budget& budget);
  [[nodiscard]] virtual std::optional<Value> item(std::int64_t index) const;
  virtual std::optional<Value> attribute(std::string_view name);
  [[nodiscard]] virtual bool callable() const { return false; }
  virtual Value call(Interpreter& interpreter, const Args& args);
  // Drops every value it holds: how cycles through namespaces and closures are broken after a rendering.
  virtual void clear() {}

  int depth;
};

struct Sequence {
  Values items;
  int depth;
};

class Value {
 public:
  Value() : data_(std::monostate{}) {}  // None

  static Value undefined(std::string reason, ErrorKind kind = ErrorKind::kUndefined);
  static Value none() { return {}; }
  static Value boolean(bool value);
  static Value integer(std::int64_t value);
  static Value integer_of(std::size_t value) { return integer(static_cast<std::int64_t>(value)); }
  static Value real(double value);
  // `safe` marks text as HTML that is already escaped (Markup): what joins it is escaped first.
  static Value text(std::string value, bool safe = false);
  static Value list(Values items);
  static Value tuple(Values items);
  static Value dict(Dict dict);
  static Value object(std::shared_ptr<Object> object);

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(data_.index()); }
  [[nodiscard]] bool is(Kind kind) const { return this->kind() == kind; }
  [[nodiscard]] bool is_text() const { return is(Kind::kText); }
  [[nodiscard]] bool is_undefined() const { return is(Kind::kUndefined); }
  [[nodiscard]] bool is_none() const { return is(Kind::kNone); }
  [[nodiscard]] bool is_sequence() const { return is(Kind::kList) || is(Kind::kTuple); }
  [[nodiscard]] bool is_integral() const { return is(Kind::kBool) || is(Kind::kInt); }
  [[nodiscard]] bool is_number() const { return is_integral() || is(Kind::kFloat); }

  [[nodiscard]] const std::string& as_text() const;
  [[nodiscard]] bool is_safe() const;
  [[nodiscard]] std::int64_t as_int() const;  // of a bool or an int
  [[nodiscard]] double as_double() const;     // of any number
  [[nodiscard]] bool as_bool() const;
  [[nodiscard]] const Values& items() const;  // of a list or a tuple
  [[nodiscard]] const Dict& as_dict() const;
  [[nodiscard]] const std::shared_ptr<Object>& as_object() const;
  template <class T>
  [[nodiscard]] std::shared_ptr<T> as() const {  // null when it is not such an object
    return is(Kind::kObject) ? std::dynamic_pointer_cast<T>(as_object()) : nullptr;
  }

  // Throws what using this undefined value as a defined one means.
  [[noreturn]] void fail_undefined() const;

  [[nodiscard]] int depth() const;
  [[nodiscard]] bool truthy() const;
  [[nodiscard]] std::string_view type_name() const;          // Python's: "str", "NoneType", "dict_items" ...
  [[nodiscard]] bool same_object(const Value& other) const;  // Python's `is`

 private:
  struct Reason {
    std::string text;
    ErrorKind kind;
  };
  struct Text {
    std::shared_ptr<const std::string> bytes;
    bool safe;
  };
  struct List {
    std::shared_ptr<const Sequence> sequence;
  };
  struct Tuple {
    std::shared_ptr<const Sequence> sequence;
  };
  // In the order of Kind.
  using Data = std::variant<std::shared_ptr<const Reason>, std::monostate, bool, std::int64_t, double, Text, List,
                            Tuple, std::shared_ptr<const Dict>, std::shared_ptr<Object>>;
  explicit Value(Data data) : data_(std::move(data)) {}
  Data data_;
};

struct Args {
  Values positional;
  std::vector<std::pair<std::string, Value>> named;
};

// Keeps insertion order. Keys are compared as Python does: 1, 1.0 and True are one key.
class Dict {
 public:
  using Entry = std::pair<Value, Value>;
  [[nodiscard]] const Value* find(const Value& key) const;  // null when absent; throws on an unhashable key
  [[nodiscard]] const Value* find(std::string_view key) const;
  void set(const Value& key, Value value);
  void set(std::string key, Value value) { set(Value::text(std::move(key)), std::move(value)); }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] int depth() const { return depth_; }
  void clear();

 private:
  [[nodiscard]] std::optional<std::size_t> index_of(const std::string& key) const;
  std::vector<Entry> entries_;
  std::vector<std::string> keys_;                       // hash_key of each entry
  std::unordered_map<std::string, std::size_t> index_;  // used once there are more than a few entries
  int depth_ = 1;
};

// Equal for values that are the same dict key and only for those. Throws on unhashable values.
std::string hash_key(const Value& value);

// The items of a value that can be iterated; throws otherwise.
Values iterate(const Value& value, Budget& budget);
// len(): nothing when the value has none.
std::optional<std::size_t> length_of(const Value& value);

}  // namespace ridge::jinja
