// Filters that give text.
#include "text/jinja/arguments.h"
#include "text/jinja/filters.h"
#include "text/jinja/format.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/methods.h"
#include "text/jinja/operators.h"
#include "text/jinja/printing.h"
#include "text/jinja/unicode.h"

#include <unordered_map>

namespace ridge::jinja {
namespace {

// soft_str: safe text stays safe.
Value soft_text(Interpreter& in, const Value& value) {
  return value.is_text() ? value : Value::text(to_text(value, in.budget()));
}

// The str method of the same name.
Value by_method(Interpreter& in, const Value& value, std::string_view name, const Args& args) {
  return find_text_method(name)(soft_text(in, value), args, in.budget());
}
Value upper(Interpreter& in, const Value& value, const Args& args) {
  return by_method(in, value, "upper", args);
}
Value lower(Interpreter& in, const Value& value, const Args& args) {
  return by_method(in, value, "lower", args);
}
Value trim(Interpreter& in, const Value& value, const Args& args) {
  return by_method(in, value, "strip", args);
}
Value capitalize(Interpreter& in, const Value& value, const Args& args) {
  return by_method(in, value, "capitalize", args);
}

Value center(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("center", args, {"width"});
  return by_method(in, value, "center", {{bound.get(0, Value::integer(80))}, {}});
}

// Words begin after white space, hyphens and opening brackets, unlike in str.title.
Value title(Interpreter& in, const Value& value, const Args& args) {
  const Bound none("title", args, {});
  const Value subject = soft_text(in, value);
  const std::string& text = subject.as_text();
  in.budget().text(text.size() * 2);
  std::string out;
  bool at_start = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t code = unicode::decode(text, at);
    const std::string_view character = std::string_view(text).substr(begin, at - begin);
    out += at_start ? unicode::upper(character) : unicode::lower(character);
    at_start = unicode::is_space(code) || code == '-' || code == '(' || code == '{' || code == '[' || code == '<';
  }
  return Value::text(std::move(out));
}

Value replace(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("replace", args, {"old", "new", "count"});
  const std::string old = to_text(bound.need(0), in.budget());
  const std::string with = to_text(bound.need(1), in.budget());
  return replace_text(to_text(value, in.budget()), old, with, bound.integer(2, -1), false, in.budget());
}

Value string(Interpreter& in, const Value& value, const Args& args) {
  const Bound none("string", args, {});
  return soft_text(in, value);
}

Value safe(Interpreter& in, const Value& value, const Args& args) {
  const Bound none("safe", args, {});
  return Value::text(to_text(value, in.budget()), true);
}

Value escape(Interpreter& in, const Value& value, const Args& args) {
  const Bound none("escape", args, {});
  if (value.is_safe()) return value;
  return Value::text(escape_html(to_text(value, in.budget()), in.budget()), true);
}

Value force_escape(Interpreter& in, const Value& value, const Args& args) {
  const Bound none("forceescape", args, {});
  return Value::text(escape_html(to_text(value, in.budget()), in.budget()), true);
}

Value format(Interpreter& in, const Value& value, const Args& args) {
  if (!args.positional.empty() && !args.named.empty())
    type_error("can't handle positional and keyword arguments at the same time");
  Value values = Value::tuple(args.positional);
  if (!args.named.empty()) {
    Dict dict;
    for (const auto& [name, argument] : args.named) dict.set(name, argument);
    values = Value::dict(std::move(dict));
  }
  const Value subject = soft_text(in, value);
  return Value::text(format_percent(subject, values, in.budget()), subject.is_safe());
}

Value join(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("join", args, {"d", "attribute"});
  const std::string between = bound.has(0) ? to_text(bound.need(0), in.budget()) : "";
  std::string out;
  bool first = true;
  for (const Value& item : iterate(value, in.budget())) {
    if (!first) out += between;
    first = false;
    out += to_text(attribute_path(item, bound.get(1, Value::none()), nullptr, in.budget()), in.budget());
    in.budget().text(between.size());
    if (out.size() > in.budget().limits().max_output_bytes) in.budget().text(out.size());
  }
  return Value::text(std::move(out));
}

Value indent(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("indent", args, {"width", "first", "blank"});
  if (!value.is_text()) type_error("indent: a str is required, not {}", value.type_name());
  std::string indentation;
  if (bound.has(0) && bound.need(0).is_text()) {
    indentation = bound.need_text(0);
  } else {
    const auto width = static_cast<std::size_t>(std::max<std::int64_t>(bound.integer(0, 4), 0));
    in.budget().text(width);
    indentation.assign(width, ' ');
  }
  const Values lines = split_lines(value.as_text() + "\n", false, false, in.budget());
  std::string out = bound.truth(1) ? indentation : "";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i].as_text();
    if (i > 0) out += '\n';
    if (i > 0 && (bound.truth(2) || !line.empty())) out += indentation;
    out += line;
    in.budget().text(indentation.size());
    if (out.size() > in.budget().limits().max_output_bytes) in.budget().text(out.size());
  }
  return Value::text(std::move(out), value.is_safe());
}

Value truncate_text(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("truncate", args, {"length", "killwords", "end", "leeway"});
  if (!value.is_text()) type_error("truncate: a str is required, not {}", value.type_name());
  const std::string end = bound.has(2) ? bound.need_text(2) : "...";
  const std::int64_t length = bound.integer(0, 255);
  const std::int64_t leeway = bound.integer(3, 5);
  const auto end_length = static_cast<std::int64_t>(unicode::length(end));
  if (length < end_length || leeway < 0) raise(ErrorKind::kRuntime, "truncate: expected length >= {}", end_length);
  const std::string& text = value.as_text();
  in.budget().text(text.size() + end.size());
  const auto size = static_cast<std::int64_t>(unicode::length(text));
  if (leeway >= size || size - leeway <= length) return value;
  std::string kept = text.substr(0, unicode::offset(text, static_cast<std::size_t>(length - end_length)));
  if (!bound.truth(1)) kept = kept.substr(0, kept.rfind(' '));
  return Value::text(kept + end, value.is_safe());
}

Value word_count(Interpreter& in, const Value& value, const Args& args) {
  const Bound none("wordcount", args, {});
  const std::string text = to_text(value, in.budget());
  std::int64_t words = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const bool word = unicode::is_word(unicode::decode(text, at));
    if (word && !inside) ++words;
    inside = word;
  }
  return Value::integer(words);
}

std::string url_quote(std::string_view text, bool query) {
  std::string out;
  for (const char c : text) {
    const bool alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (alphanumeric || c == '_' || c == '.' || c == '-' || c == '~' || (c == '/' && !query)) {
      out += c;
    } else if (c == ' ' && query) {
      out += '+';
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

Value url_encode(Interpreter& in, const Value& value, const Args& args) {
  const Bound none("urlencode", args, {});
  const auto quoted = [&](const Value& part, bool query) {
    const std::string text = to_text(part, in.budget());
    in.budget().text(text.size() * 3);
    return url_quote(text, query);
  };
  if (value.is_text() || value.is_none() || value.is_number()) return Value::text(quoted(value, false));
  Values pairs;
  if (value.is(Kind::kDict)) {
    for (const auto& [key, part] : value.as_dict().entries()) pairs.push_back(Value::tuple({key, part}));
  } else {
    pairs = iterate(value, in.budget());
  }
  std::string out;
  for (const Value& pair : pairs) {
    const Values parts = iterate(pair, in.budget());
    if (parts.size() != 2) raise(ErrorKind::kRuntime, "urlencode: expected pairs");
    out += fmt::format("{}{}={}", out.empty() ? "" : "&", quoted(parts[0], true), quoted(parts[1], true));
  }
  return Value::text(std::move(out));
}

Value to_json_filter(Interpreter& in, const Value& value, const Args& args) {
  const Bound bound("tojson", args, {"ensure_ascii", "indent", "separators", "sort_keys"});
  JsonStyle style;
  style.ensure_ascii = bound.truth(0);
  style.sort_keys = bound.truth(3);
  style.indented = bound.given(1);
  if (style.indented) {
    style.item_separator.assign(1, ',');
    if (bound.need(1).is_text()) {
      style.indent = bound.need_text(1);
    } else {
      const auto width = static_cast<std::size_t>(std::max<std::int64_t>(bound.integer(1, 0), 0));
      in.budget().text(width);
      style.indent.assign(width, ' ');
    }
  }
  if (bound.given(2)) {
    const Values separators = iterate(bound.need(2), in.budget());
    if (separators.size() != 2 || !separators[0].is_text() || !separators[1].is_text())
      type_error("tojson: separators must be two strings");
    style.item_separator = separators[0].as_text();
    style.key_separator = separators[1].as_text();
  }
  return Value::text(to_json(value, style, in.budget()));
}

}  // namespace

Filter find_text_filter(std::string_view name) {
  static const std::unordered_map<std::string_view, Filter> kFilters = {
      {"capitalize", capitalize},
      {"center", center},
      {"e", escape},
      {"escape", escape},
      {"forceescape", force_escape},
      {"format", format},
      {"indent", indent},
      {"join", join},
      {"lower", lower},
      {"replace", replace},
      {"safe", safe},
      {"string", string},
      {"title", title},
      {"tojson", to_json_filter},
      {"trim", trim},
      {"truncate", truncate_text},
      {"upper", upper},
      {"urlencode", url_encode},
      {"wordcount", word_count},
  };
  const auto found = kFilters.find(name);
  return found == kFilters.end() ? nullptr : found->second;
}

}  // namespace ridge::jinja
