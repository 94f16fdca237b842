#include "text/jinja/printing.h"

#include "text/jinja/depth.h"
#include "text/jinja/number.h"
#include "text/jinja/unicode.h"

namespace ridge::jinja {
namespace {

void append_escaped(std::string& out, char32_t code) {
  if (code < 0x100) {
    out += fmt::format("\\x{:02x}", static_cast<unsigned>(code));
  } else if (code < 0x10000) {
    out += fmt::format("\\u{:04x}", static_cast<unsigned>(code));
  } else {
    out += fmt::format("\\U{:08x}", static_cast<unsigned>(code));
  }
}

void append_text_repr(std::string& out, std::string_view text) {
  const bool single = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos;
  const char quote = single ? '"' : '\'';
  out += quote;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = unicode::decode(text, at);
    switch (code) {
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        if (code == static_cast<char32_t>(quote)) {
          out += '\\';
          out += quote;
        } else if (unicode::is_printable(code)) {
          unicode::append(out, code);
        } else {
          append_escaped(out, code);
        }
    }
  }
  out += quote;
}

void append_items(std::string& out, const Value& value, Budget& budget) {
  const bool list = value.is(Kind::kList);
  out += list ? '[' : '(';
  bool first = true;
  for (const Value& item : value.items()) {
    if (!first) out += ", ";
    first = false;
    append_repr(out, item, budget);
  }
  if (!list && value.items().size() == 1) out += ',';
  out += list ? ']' : ')';
}

void append_entries(std::string& out, const Dict& dict, Budget& budget) {
  out += '{';
  bool first = true;
  for (const auto& [key, value] : dict.entries()) {
    if (!first) out += ", ";
    first = false;
    append_repr(out, key, budget);
    out += ": ";
    append_repr(out, value, budget);
  }
  out += '}';
}

}  // namespace

std::string to_text(const Value& value, Budget& budget) {
  if (value.is_undefined()) return "";
  if (value.is_text()) {
    budget.text(value.as_text().size());
    return value.as_text();
  }
  std::string out;
  append_repr(out, value, budget);
  return out;
}

void append_repr(std::string& out, const Value& value, Budget& budget) {
  const std::size_t before = out.size();
  const DepthGuard deeper(budget.printing_depth(), budget);  // a namespace may hold any depth of others
  switch (value.kind()) {
    case Kind::kUndefined:
      out += "Undefined";
      break;
    case Kind::kNone:
      out += "None";
      break;
    case Kind::kBool:
      out += value.as_bool() ? "True" : "False";
      break;
    case Kind::kInt:
      out += std::to_string(value.as_int());
      break;
    case Kind::kFloat:
      out += float_repr(value.as_double());
      break;
    case Kind::kText:
      budget.text(value.as_text().size());
      if (value.is_safe()) out += "Markup(";
      append_text_repr(out, value.as_text());
      if (value.is_safe()) out += ')';
      break;
    case Kind::kList:
    case Kind::kTuple:
      append_items(out, value, budget);
      break;
    case Kind::kDict:
      append_entries(out, value.as_dict(), budget);
      break;
    case Kind::kObject:
      out += value.as_object()->repr(budget);
      break;
  }
  if (out.size() - before > budget.limits().max_output_bytes) budget.text(out.size());
}

}  // namespace ridge::jinja
