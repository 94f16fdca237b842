// str.split, rsplit, splitlines and replace.
#include "text/jinja/arguments.h"
#include "text/jinja/methods.h"
#include "text/jinja/operators.h"
#include "text/jinja/unicode.h"

#include <algorithm>

namespace ridge::jinja {
namespace {

using Pieces = std::vector<std::string_view>;

Pieces split_by(std::string_view text, std::string_view separator, std::size_t most) {
  Pieces pieces;
  while (pieces.size() < most) {
    const std::size_t at = find_text(text, separator, 0);
    if (at == std::string_view::npos) break;
    pieces.push_back(text.substr(0, at));
    text.remove_prefix(at + separator.size());
  }
  pieces.push_back(text);
  return pieces;
}

Pieces split_by_from_right(std::string_view text, std::string_view separator, std::size_t most, Budget& budget) {
  budget.steps(text.size() * separator.size() / kComparedPerStep);
  Pieces pieces;
  while (pieces.size() < most) {
    const std::size_t at = text.rfind(separator);
    if (at == std::string_view::npos) break;
    pieces.push_back(text.substr(at + separator.size()));
    text = text.substr(0, at);
  }
  pieces.push_back(text);
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

std::size_t word_length(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size()) {
    std::size_t next = end;
    if (unicode::is_space(unicode::decode(text, next))) break;
    end = next;
  }
  return end;
}

Pieces split_words(std::string_view text, std::size_t most) {
  Pieces pieces;
  text.remove_prefix(unicode::leading(text));
  while (!text.empty()) {
    if (pieces.size() == most) {
      pieces.push_back(text);
      break;
    }
    const std::size_t length = word_length(text);
    pieces.push_back(text.substr(0, length));
    text.remove_prefix(length);
    text.remove_prefix(unicode::leading(text));
  }
  return pieces;
}

// From the right only the first `most` words count; the rest stays one piece.
Pieces split_words_from_right(std::string_view text, std::size_t most) {
  Pieces words = split_words(text, std::string_view::npos);
  if (words.size() <= most) return words;
  const std::size_t joined = words.size() - most;
  const std::string_view last = words[joined - 1];
  const std::string_view rest = text.substr(0, static_cast<std::size_t>(last.data() + last.size() - text.data()));
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(joined));
  words.insert(words.begin(), rest);
  return words;
}

Value split_text(const Value& self, const Args& args, Budget& budget, bool from_right) {
  const Bound bound(from_right ? "rsplit()" : "split()", args, {"sep", "maxsplit"});
  const std::string& text = self.as_text();
  const std::string* separator = bound.text(0);
  if (separator != nullptr && separator->empty()) raise(ErrorKind::kRuntime, "empty separator");
  const std::int64_t limit = bound.integer(1, -1);
  const std::size_t most = limit < 0 ? std::string_view::npos : static_cast<std::size_t>(limit);
  budget.text(text.size());
  Pieces pieces;
  if (separator == nullptr) {
    pieces = from_right ? split_words_from_right(text, most) : split_words(text, most);
  } else {
    pieces = from_right ? split_by_from_right(text, *separator, most, budget) : split_by(text, *separator, most);
  }
  budget.values(pieces.size() * 4);
  Values values;
  for (const std::string_view piece : pieces) values.push_back(Value::text(std::string(piece), self.is_safe()));
  return Value::list(std::move(values));
}

Value split(const Value& self, const Args& args, Budget& budget) {
  return split_text(self, args, budget, false);
}
Value split_right(const Value& self, const Args& args, Budget& budget) {
  return split_text(self, args, budget, true);
}

}  // namespace

TextMethod find_split_method(std::string_view name) {
  if (name == "split") return split;
  if (name == "rsplit") return split_right;
  return nullptr;
}

Values split_lines(const std::string& text, bool keep_ends, bool safe, Budget& budget) {
  budget.text(text.size());
  Values lines;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = at;
    const char32_t code = unicode::decode(text, at);
    if (!unicode::is_line_break(code)) continue;
    if (code == '\r' && at < text.size() && text[at] == '\n') ++at;
    lines.push_back(Value::text(text.substr(begin, (keep_ends ? at : end) - begin), safe));
    begin = at;
  }
  if (begin < text.size()) lines.push_back(Value::text(text.substr(begin), safe));
  budget.values(lines.size() * 4);
  return lines;
}

Value replace_text(const std::string& text, const std::string& old, const std::string& with, std::int64_t count,
                   bool safe, Budget& budget) {
  budget.text(text.size());
  std::string out;
  std::size_t done = 0;
  auto left = count < 0 ? std::string_view::npos : static_cast<std::size_t>(count);
  for (std::size_t from = 0; left > 0 && from <= text.size(); --left) {
    const std::size_t at = find_text(text, old, from);
    if (at == std::string_view::npos) break;
    out.append(text, done, at - done).append(with);
    done = at + old.size();
    from = done;
    if (old.empty()) {  // between all characters, and at both ends
      if (at == text.size()) break;
      unicode::decode(text, from);
    }
    budget.text(with.size());
    if (out.size() > budget.limits().max_output_bytes) budget.text(out.size());
  }
  out.append(text, done);
  budget.text(out.size());
  return Value::text(std::move(out), safe);
}

}  // namespace ridge::jinja
