#include "text/jinja/value.h"

#include "text/jinja/number.h"
#include "text/jinja/unicode.h"

#include <algorithm>
#include <cmath>

namespace ridge::jinja {
namespace {

constexpr std::size_t kIndexedFrom = 8;
constexpr std::size_t kMaxTupleKeyBytes = std::size_t{1} << 16;

void check_depth(int depth) {
  if (depth > kMaxValueDepth) raise(ErrorKind::kLimit, "a value nested deeper than {} levels", kMaxValueDepth);
}

std::shared_ptr<const Sequence> make_sequence(Values items) {
  int depth = 0;
  for (const Value& item : items) depth = std::max(depth, item.depth());
  check_depth(depth + 1);
  return std::make_shared<const Sequence>(Sequence{std::move(items), depth + 1});
}

void append_key(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Kind::kUndefined:
      out += 'u';
      return;
    case Kind::kNone:
      out += 'n';
      return;
    case Kind::kBool:
    case Kind::kInt:
      out += fmt::format("i{};", value.as_int());
      return;
    case Kind::kFloat:
      if (const auto whole = exact_integer(value.as_double())) {
        out += fmt::format("i{};", *whole);
      } else {
        out += fmt::format("f{};", value.as_double());
      }
      return;
    case Kind::kText:
      out += fmt::format("s{}:{}", value.as_text().size(), value.as_text());
      return;
    case Kind::kTuple:
      out += '(';
      for (const Value& item : value.items()) {
        append_key(out, item);
        if (out.size() > kMaxTupleKeyBytes) raise(ErrorKind::kLimit, "a tuple too large to be a key");
      }
      out += ')';
      return;
    case Kind::kObject:
      out += fmt::format("o{};", static_cast<const void*>(value.as_object().get()));
      return;
    case Kind::kList:
    case Kind::kDict:
      type_error("unhashable type: '{}'", value.type_name());
  }
}

}  // namespace

std::string Object::repr(Budget& /*budget*/) const {
  return fmt::format("<{} object>", type_name());
}
std::optional<Values> Object::iterate(Budget& /*budget*/) {
  return std::nullopt;
}
std::optional<Value> Object::item(std::int64_t /*index*/) const {
  return std::nullopt;
}
std::optional<Value> Object::attribute(std::string_view /*name*/) {
  return std::nullopt;
}
Value Object::call(Interpreter& /*interpreter*/, const Args& /*args*/) {
  type_error("'{}' object is not callable", type_name());
}

Value Value::undefined(std::string reason, ErrorKind kind) {
  return Value(Data(std::make_shared<const Reason>(Reason{std::move(reason), kind})));
}
Value Value::boolean(bool value) {
  return Value(Data(value));
}
Value Value::integer(std::int64_t value) {
  return Value(Data(value));
}
Value Value::real(double value) {
  return Value(Data(value));
}
Value Value::text(std::string value, bool safe) {
  return Value(Data(Text{std::make_shared<const std::string>(std::move(value)), safe}));
}
Value Value::list(Values items) {
  return Value(Data(List{make_sequence(std::move(items))}));
}
Value Value::tuple(Values items) {
  return Value(Data(Tuple{make_sequence(std::move(items))}));
}
Value Value::dict(Dict dict) {
  check_depth(dict.depth());
  return Value(Data(std::make_shared<const Dict>(std::move(dict))));
}
Value Value::object(std::shared_ptr<Object> object) {
  check_depth(object->depth);
  return Value(Data(std::move(object)));
}

const std::string& Value::as_text() const {
  return *std::get<Text>(data_).bytes;
}
bool Value::is_safe() const {
  return is_text() && std::get<Text>(data_).safe;
}
std::int64_t Value::as_int() const {
  return is(Kind::kBool) ? static_cast<std::int64_t>(std::get<bool>(data_)) : std::get<std::int64_t>(data_);
}
double Value::as_double() const {
  return is(Kind::kFloat) ? std::get<double>(data_) : static_cast<double>(as_int());
}
bool Value::as_bool() const {
  return std::get<bool>(data_);
}
const Values& Value::items() const {
  return is(Kind::kList) ? std::get<List>(data_).sequence->items : std::get<Tuple>(data_).sequence->items;
}
const Dict& Value::as_dict() const {
  return *std::get<std::shared_ptr<const Dict>>(data_);
}
const std::shared_ptr<Object>& Value::as_object() const {
  return std::get<std::shared_ptr<Object>>(data_);
}

void Value::fail_undefined() const {
  const Reason& reason = *std::get<std::shared_ptr<const Reason>>(data_);
  throw Failure(reason.kind, reason.text);
}

int Value::depth() const {
  switch (kind()) {
    case Kind::kList:
      return std::get<List>(data_).sequence->depth;
    case Kind::kTuple:
      return std::get<Tuple>(data_).sequence->depth;
    case Kind::kDict:
      return as_dict().depth();
    case Kind::kObject:
      return as_object()->depth;
    default:
      return 0;
  }
}

bool Value::truthy() const {
  switch (kind()) {
    case Kind::kUndefined:
    case Kind::kNone:
      return false;
    case Kind::kBool:
    case Kind::kInt:
      return as_int() != 0;
    case Kind::kFloat:
      return as_double() != 0.0;
    case Kind::kText:
      return !as_text().empty();
    case Kind::kList:
    case Kind::kTuple:
      return !items().empty();
    case Kind::kDict:
      return !as_dict().entries().empty();
    case Kind::kObject:
      return as_object()->truthy();
  }
  return false;
}

std::string_view Value::type_name() const {
  switch (kind()) {
    case Kind::kUndefined:
      return "Undefined";
    case Kind::kNone:
      return "NoneType";
    case Kind::kBool:
      return "bool";
    case Kind::kInt:
      return "int";
    case Kind::kFloat:
      return "float";
    case Kind::kText:
      return is_safe() ? "Markup" : "str";
    case Kind::kList:
      return "list";
    case Kind::kTuple:
      return "tuple";
    case Kind::kDict:
      return "dict";
    case Kind::kObject:
      return as_object()->type_name();
  }
  return "";
}

bool Value::same_object(const Value& other) const {
  if (kind() != other.kind()) return false;
  switch (kind()) {
    case Kind::kUndefined:
      return std::get<0>(data_) == std::get<0>(other.data_);
    case Kind::kNone:
      return true;
    case Kind::kBool:
    case Kind::kInt:
      return as_int() == other.as_int();
    case Kind::kFloat:
      return as_double() == other.as_double();
    case Kind::kText:
      return as_text() == other.as_text();
    case Kind::kList:
      return std::get<List>(data_).sequence == std::get<List>(other.data_).sequence;
    case Kind::kTuple:
      return std::get<Tuple>(data_).sequence == std::get<Tuple>(other.data_).sequence;
    case Kind::kDict:
      return &as_dict() == &other.as_dict();
    case Kind::kObject:
      return as_object() == other.as_object();
  }
  return false;
}

std::string hash_key(const Value& value) {
  std::string key;
  append_key(key, value);
  return key;
}

std::optional<std::size_t> Dict::index_of(const std::string& key) const {
  if (!index_.empty()) {
    const auto found = index_.find(key);
    return found == index_.end() ? std::nullopt : std::optional(found->second);
  }
  const auto found = std::find(keys_.begin(), keys_.end(), key);
  if (found == keys_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - keys_.begin());
}

const Value* Dict::find(const Value& key) const {
  const auto index = index_of(hash_key(key));
  return index ? &entries_[*index].second : nullptr;
}

const Value* Dict::find(std::string_view key) const {
  return find(Value::text(std::string(key)));
}

void Dict::set(const Value& key, Value value) {
  depth_ = std::max({depth_, key.depth() + 1, value.depth() + 1});
  std::string hashed = hash_key(key);
  if (const auto index = index_of(hashed)) {
    entries_[*index].second = std::move(value);
    return;
  }
  entries_.emplace_back(key, std::move(value));
  keys_.push_back(hashed);
  if (!index_.empty()) {
    index_.emplace(std::move(hashed), keys_.size() - 1);
  } else if (keys_.size() > kIndexedFrom) {
    for (std::size_t i = 0; i < keys_.size(); ++i) index_.emplace(keys_[i], i);
  }
}

void Dict::clear() {
  *this = Dict();
}

Values iterate(const Value& value, Budget& budget) {
  switch (value.kind()) {
    case Kind::kUndefined:
      return {};
    case Kind::kList:
    case Kind::kTuple:
      budget.values(value.items().size());
      return value.items();
    case Kind::kDict: {
      Values keys;
      budget.values(value.as_dict().entries().size());
      for (const auto& entry : value.as_dict().entries()) keys.push_back(entry.first);
      return keys;
    }
    case Kind::kText: {
      Values characters;
      budget.values(value.as_text().size() * 4);
      for (std::size_t at = 0; at < value.as_text().size();) {
        const std::size_t begin = at;
        unicode::decode(value.as_text(), at);
        characters.push_back(Value::text(value.as_text().substr(begin, at - begin), value.is_safe()));
      }
      return characters;
    }
    case Kind::kObject:
      if (auto items = value.as_object()->iterate(budget)) return std::move(*items);
      break;
    default:
      break;
  }
  type_error("'{}' object is not iterable", value.type_name());
}

std::optional<std::size_t> length_of(const Value& value) {
  switch (value.kind()) {
    case Kind::kUndefined:
      return 0;
    case Kind::kText:
      return unicode::length(value.as_text());
    case Kind::kList:
    case Kind::kTuple:
      return value.items().size();
    case Kind::kDict:
      return value.as_dict().entries().size();
    case Kind::kObject:
      return value.as_object()->length();
    default:
      return std::nullopt;
  }
}

}  // namespace ridge::jinja
