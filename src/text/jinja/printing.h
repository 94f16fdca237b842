// str(), repr() and json.dumps() of values.
#pragma once

#include "text/jinja/value.h"

#include <string>

namespace ridge::jinja {

std::string to_text(const Value& value, Budget& budget);
void append_repr(std::string& out, const Value& value, Budget& budget);

struct JsonStyle {
  bool ensure_ascii = false;
  bool indented = false;
  std::string indent;  // one level of it
  std::string item_separator = ", ";
  std::string key_separator = ": ";
  bool sort_keys = false;
};
std::string to_json(const Value& value, const JsonStyle& style, Budget& budget);

// The values of a JSON document from outside. Throws Failure on invalid UTF-8, deep nesting and integers past 64 bits.
Value from_json(const Json& json);

}  // namespace ridge::jinja
