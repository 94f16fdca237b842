// JSON in both directions: the context that a template is rendered with, and the tojson filter.
#include "text/jinja/number.h"
#include "text/jinja/operators.h"
#include "text/jinja/printing.h"
#include "text/jinja/unicode.h"
#include "text/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace ridge::jinja {
namespace {

Value text_from(const std::string& text) {
  if (valid_utf8_prefix(text) != text.size()) raise(ErrorKind::kRuntime, "context: text that is not UTF-8");
  return Value::text(text);
}

Value value_from(const Json& json, int depth) {
  if (depth > kMaxValueDepth) raise(ErrorKind::kLimit, "context: nested deeper than {} levels", kMaxValueDepth);
  switch (json.type()) {
    case Json::value_t::boolean:
      return Value::boolean(json.get<bool>());
    case Json::value_t::number_integer:
      return Value::integer(json.get<std::int64_t>());
    case Json::value_t::number_float:
      return Value::real(json.get<double>());
    case Json::value_t::string:
      return text_from(json.get_ref<const std::string&>());
    case Json::value_t::number_unsigned: {
      const auto number = json.get<std::uint64_t>();
      if (number > INT64_MAX) raise(ErrorKind::kLimit, "context: integer past 64 bits: {}", number);
      return Value::integer(static_cast<std::int64_t>(number));
    }
    case Json::value_t::array: {
      Values items;
      for (const Json& item : json) items.push_back(value_from(item, depth + 1));
      return Value::list(std::move(items));
    }
    case Json::value_t::object: {
      Dict dict;
      for (const auto& [key, item] : json.items()) dict.set(text_from(key), value_from(item, depth + 1));
      return Value::dict(std::move(dict));
    }
    default:
      return Value::none();
  }
}

class JsonWriter {
 public:
  JsonWriter(const JsonStyle& style, Budget& budget) : style_(style), budget_(budget) {}

  std::string take() { return std::move(out_); }

  void write(const Value& value) {
    budget_.steps(1);
    if (out_.size() > budget_.limits().max_output_bytes) budget_.text(out_.size());
    switch (value.kind()) {
      case Kind::kText:
        write_text(value.as_text());
        return;
      case Kind::kList:
      case Kind::kTuple:
        write_items(value.items());
        return;
      case Kind::kDict:
        write_entries(value.as_dict());
        return;
      case Kind::kUndefined:
      case Kind::kObject:
        type_error("Object of type {} is not JSON serializable", value.type_name());
      default:
        out_ += scalar(value);
    }
  }

 private:
  static std::string scalar(const Value& value) {
    switch (value.kind()) {
      case Kind::kNone:
        return "null";
      case Kind::kBool:
        return value.as_bool() ? "true" : "false";
      case Kind::kInt:
        return std::to_string(value.as_int());
      default:
        break;
    }
    const double number = value.as_double();
    if (std::isnan(number)) return "NaN";
    if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
    return float_repr(number);
  }

  void write_text(const std::string& text) {
    budget_.text(text.size());
    out_ += '"';
    for (std::size_t at = 0; at < text.size();) write_code(unicode::decode(text, at));
    out_ += '"';
  }

  void write_code(char32_t code) {
    switch (code) {
      case '"':
        out_ += "\\\"";
        return;
      case '\\':
        out_ += "\\\\";
        return;
      case '\n':
        out_ += "\\n";
        return;
      case '\r':
        out_ += "\\r";
        return;
      case '\t':
        out_ += "\\t";
        return;
      case '\b':
        out_ += "\\b";
        return;
      case '\f':
        out_ += "\\f";
        return;
      default:
        break;
    }
    if (code >= 0x20 && (code < 0x7F || !style_.ensure_ascii)) {
      unicode::append(out_, code);
    } else if (code < 0x10000) {
      out_ += fmt::format("\\u{:04x}", static_cast<unsigned>(code));
    } else {
      const auto above = static_cast<unsigned>(code) - 0x10000U;
      out_ += fmt::format("\\u{:04x}\\u{:04x}", 0xD800U + (above >> 10U), 0xDC00U + (above & 0x3FFU));
    }
  }

  void new_line() {
    if (!style_.indented) return;
    out_ += '\n';
    budget_.text(style_.indent.size() * level_);
    for (std::size_t i = 0; i < level_; ++i) out_ += style_.indent;
  }

  void write_items(const Values& items) {
    if (items.empty()) {
      out_ += "[]";
      return;
    }
    out_ += '[';
    ++level_;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_ += style_.item_separator;
      new_line();
      write(items[i]);
    }
    --level_;
    new_line();
    out_ += ']';
  }

  void write_entries(const Dict& dict) {
    std::vector<Dict::Entry> entries = dict.entries();
    if (style_.sort_keys) {
      std::stable_sort(entries.begin(), entries.end(),
                       [&](const auto& a, const auto& b) { return less(a.first, b.first, budget_); });
    }
    if (entries.empty()) {
      out_ += "{}";
      return;
    }
    out_ += '{';
    ++level_;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i > 0) out_ += style_.item_separator;
      new_line();
      write_key(entries[i].first);
      out_ += style_.key_separator;
      write(entries[i].second);
    }
    --level_;
    new_line();
    out_ += '}';
  }

  void write_key(const Value& key) {
    if (key.is_text()) {
      write_text(key.as_text());
    } else if (key.is_number() || key.is_none()) {
      write_text(scalar(key));
    } else {
      type_error("keys must be str, int, float, bool or None, not {}", key.type_name());
    }
  }

  const JsonStyle& style_;
  Budget& budget_;
  std::string out_;
  std::size_t level_ = 0;
};

}  // namespace

std::string to_json(const Value& value, const JsonStyle& style, Budget& budget) {
  JsonWriter writer(style, budget);
  writer.write(value);
  return writer.take();
}

Value from_json(const Json& json) {
  return value_from(json, 1);
}

}  // namespace ridge::jinja
