// Python's str methods. Methods of safe text (Markup) give safe text, and escape what they put in.
#include "text/jinja/arguments.h"
#include "text/jinja/format.h"
#include "text/jinja/methods.h"
#include "text/jinja/operators.h"
#include "text/jinja/printing.h"
#include "text/jinja/unicode.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace ridge::jinja {
namespace {

Value same_kind(const Value& self, std::string text) {
  return Value::text(std::move(text), self.is_safe());
}

template <std::string (*Map)(std::string_view)>
Value mapped(const Value& self, const Args& args, Budget& budget) {
  const Bound none("the method", args, {});
  budget.text(self.as_text().size() * 2);
  return same_kind(self, Map(self.as_text()));
}

Value strip(const Value& self, const Args& args, Budget& budget, bool left, bool right) {
  const Bound bound("strip()", args, {"chars"});
  const std::string* set = bound.text(0);
  std::string_view text = self.as_text();
  budget.text(text.size());
  // Every character is looked for in the whole set.
  if (set != nullptr) budget.steps(text.size() * set->size() / kComparedPerStep);
  if (left) text.remove_prefix(unicode::leading(text, set));
  if (right) text.remove_suffix(unicode::trailing(text, set));
  return same_kind(self, std::string(text));
}
Value strip_both(const Value& self, const Args& args, Budget& budget) {
  return strip(self, args, budget, true, true);
}
Value strip_left(const Value& self, const Args& args, Budget& budget) {
  return strip(self, args, budget, true, false);
}
Value strip_right(const Value& self, const Args& args, Budget& budget) {
  return strip(self, args, budget, false, true);
}

// The bytes of text[start:stop] by code points, as the search methods take them; nothing when start is past the end.
std::optional<std::pair<std::size_t, std::size_t>> window(const Value& self, const Bound& bound, Budget& budget) {
  const std::string& text = self.as_text();
  budget.text(text.size());
  const auto size = static_cast<std::int64_t>(unicode::length(text));
  const auto clamped = [&](std::int64_t at) { return std::max<std::int64_t>(at < 0 ? at + size : at, 0); };
  const std::int64_t start = clamped(bound.integer(1, 0));
  const std::int64_t stop = std::min(clamped(bound.integer(2, size)), size);
  if (start > size || stop < start) return std::nullopt;
  return std::pair(unicode::offset(text, static_cast<std::size_t>(start)),
                   unicode::offset(text, static_cast<std::size_t>(stop)));
}

bool matches_end(std::string_view text, const Value& affix, bool front) {
  if (!affix.is_text()) type_error("startswith and endswith take str or a tuple of str, not {}", affix.type_name());
  const std::string& part = affix.as_text();
  if (part.size() > text.size()) return false;
  return text.substr(front ? 0 : text.size() - part.size(), part.size()) == part;
}

Value ends(const Value& self, const Args& args, Budget& budget, bool front) {
  const Bound bound(front ? "startswith()" : "endswith()", args, {"affix", "start", "stop"});
  const auto range = window(self, bound, budget);
  const Value& affix = bound.need(0);
  const std::string_view text =
      range ? std::string_view(self.as_text()).substr(range->first, range->second - range->first) : "";
  if (!affix.is(Kind::kTuple)) return Value::boolean(range && matches_end(text, affix, front));
  budget.values(affix.items().size());
  const Values& all = affix.items();
  return Value::boolean(
      range && std::any_of(all.begin(), all.end(), [&](const Value& a) { return matches_end(text, a, front); }));
}
Value starts_with(const Value& self, const Args& args, Budget& budget) {
  return ends(self, args, budget, true);
}
Value ends_with(const Value& self, const Args& args, Budget& budget) {
  return ends(self, args, budget, false);
}

// Every place where the needle stands, not overlapping.
std::vector<std::size_t> occurrences(std::string_view text, std::string_view needle, std::size_t most) {
  std::vector<std::size_t> found;
  for (std::size_t at = 0; found.size() < most;) {
    at = find_text(text, needle, at);
    if (at == std::string_view::npos) break;
    found.push_back(at);
    at += needle.size();
  }
  return found;
}

// Where the needle last stands. Every start is tried, which costs the product of the sizes.
std::size_t find_last(std::string_view text, std::string_view needle, Budget& budget) {
  budget.steps(text.size() * needle.size() / kComparedPerStep);
  return text.rfind(needle);
}

Value find_at(const Value& self, const Args& args, Budget& budget, bool last, bool must) {
  const Bound bound(must ? "index()" : "find()", args, {"sub", "start", "stop"});
  const std::string& needle = bound.need_text(0);
  const auto range = window(self, bound, budget);
  const std::string_view text = self.as_text();
  std::size_t at = std::string_view::npos;
  if (range) {
    const std::string_view part = text.substr(range->first, range->second - range->first);
    at = last ? find_last(part, needle, budget) : find_text(part, needle, 0);
  }
  if (at != std::string_view::npos) return Value::integer_of(unicode::length(text.substr(0, range->first + at)));
  if (must) raise(ErrorKind::kRuntime, "substring not found");
  return Value::integer(-1);
}
Value find_first(const Value& self, const Args& args, Budget& budget) {
  return find_at(self, args, budget, false, false);
}
Value find_right(const Value& self, const Args& args, Budget& budget) {
  return find_at(self, args, budget, true, false);
}
Value index_first(const Value& self, const Args& args, Budget& budget) {
  return find_at(self, args, budget, false, true);
}
Value index_right(const Value& self, const Args& args, Budget& budget) {
  return find_at(self, args, budget, true, true);
}

Value count(const Value& self, const Args& args, Budget& budget) {
  const Bound bound("count()", args, {"sub", "start", "stop"});
  const std::string& needle = bound.need_text(0);
  const auto range = window(self, bound, budget);
  if (!range) return Value::integer(0);
  const std::string_view part = std::string_view(self.as_text()).substr(range->first, range->second - range->first);
  if (needle.empty()) return Value::integer_of(unicode::length(part) + 1);
  budget.values(part.size() / needle.size());
  return Value::integer_of(occurrences(part, needle, std::string_view::npos).size());
}

Value replace(const Value& self, const Args& args, Budget& budget) {
  const Bound bound("replace()", args, {"old", "new", "count"});
  bound.need_text(0);
  bound.need_text(1);
  const std::string with = escaped_beside(bound.need(1), self.is_safe(), budget);
  return replace_text(self.as_text(), bound.need_text(0), with, bound.integer(2, -1), self.is_safe(), budget);
}

Value join(const Value& self, const Args& args, Budget& budget) {
  const Bound bound("join()", args, {"iterable"});
  std::string out;
  std::size_t index = 0;
  for (const Value& part : iterate(bound.need(0), budget)) {
    if (!part.is_text()) type_error("sequence item {}: expected str instance, {} found", index, part.type_name());
    if (index++ > 0) out += self.as_text();
    out += escaped_beside(part, self.is_safe(), budget);
    budget.text(self.as_text().size() + part.as_text().size());
    if (out.size() > budget.limits().max_output_bytes) budget.text(out.size());
  }
  return same_kind(self, std::move(out));
}

Value remove_prefix(const Value& self, const Args& args, Budget& budget) {
  const Bound bound("removeprefix()", args, {"prefix"});
  budget.text(self.as_text().size());
  const bool found = matches_end(self.as_text(), bound.need(0), true);
  return same_kind(self, self.as_text().substr(found ? bound.need_text(0).size() : 0));
}

Value remove_suffix(const Value& self, const Args& args, Budget& budget) {
  const Bound bound("removesuffix()", args, {"suffix"});
  budget.text(self.as_text().size());
  const bool found = matches_end(self.as_text(), bound.need(0), false);
  return same_kind(self, self.as_text().substr(0, self.as_text().size() - (found ? bound.need_text(0).size() : 0)));
}

Value partition_at(const Value& self, const Args& args, Budget& budget, bool last) {
  const Bound bound(last ? "rpartition()" : "partition()", args, {"sep"});
  const std::string& text = self.as_text();
  const std::string& separator = bound.need_text(0);
  if (separator.empty()) raise(ErrorKind::kRuntime, "empty separator");
  budget.text(text.size());
  const std::size_t at = last ? find_last(text, separator, budget) : find_text(text, separator, 0);
  const auto part = [&](std::string piece) { return same_kind(self, std::move(piece)); };
  if (at == std::string_view::npos && last) return Value::tuple({part(""), part(""), self});
  if (at == std::string_view::npos) return Value::tuple({self, part(""), part("")});
  return Value::tuple({part(text.substr(0, at)), part(separator), part(text.substr(at + separator.size()))});
}
Value partition(const Value& self, const Args& args, Budget& budget) {
  return partition_at(self, args, budget, false);
}
Value partition_right(const Value& self, const Args& args, Budget& budget) {
  return partition_at(self, args, budget, true);
}

Value lines(const Value& self, const Args& args, Budget& budget) {
  const Bound bound("splitlines()", args, {"keepends"});
  return Value::list(split_lines(self.as_text(), bound.truth(0), self.is_safe(), budget));
}

Value pad(const Value& self, const Args& args, Budget& budget, const char* name, int left_of_two) {
  const Bound bound(name, args, {"width", "fillchar"});
  const std::string fill = bound.has(1) ? bound.need_text(1) : " ";
  if (unicode::length(fill) != 1) type_error("{}: the fill character must be one character", name);
  const auto size = static_cast<std::int64_t>(unicode::length(self.as_text()));
  bound.need(0);
  const std::int64_t width = bound.integer(0, 0);
  const std::size_t missing = width > size ? static_cast<std::size_t>(width - size) : 0;
  if (missing > budget.limits().max_output_bytes) budget.text(missing);
  budget.text(self.as_text().size() + missing * fill.size());
  // str.center puts the odd space on the left when the width is odd.
  const std::size_t centred = missing / 2 + (missing & static_cast<std::size_t>(width) & 1U);
  const std::size_t left = left_of_two == 0 ? 0 : left_of_two == 2 ? missing : centred;
  std::string out;
  for (std::size_t i = 0; i < left; ++i) out += fill;
  out += self.as_text();
  for (std::size_t i = left; i < missing; ++i) out += fill;
  return same_kind(self, std::move(out));
}
Value pad_right(const Value& self, const Args& args, Budget& budget) {
  return pad(self, args, budget, "ljust()", 0);
}
Value center(const Value& self, const Args& args, Budget& budget) {
  return pad(self, args, budget, "center()", 1);
}
Value pad_left(const Value& self, const Args& args, Budget& budget) {
  return pad(self, args, budget, "rjust()", 2);
}

Value zero_fill(const Value& self, const Args& args, Budget& budget) {
  const Bound bound("zfill()", args, {"width"});
  bound.need(0);
  std::string out = self.as_text();
  const auto size = static_cast<std::int64_t>(unicode::length(out));
  const std::int64_t missing = std::max<std::int64_t>(bound.integer(0, 0) - size, 0);
  budget.text(out.size() + static_cast<std::size_t>(missing));
  const bool has_sign = !out.empty() && (out[0] == '+' || out[0] == '-');
  out.insert(has_sign ? 1 : 0, static_cast<std::size_t>(missing), '0');
  return same_kind(self, std::move(out));
}

Value format(const Value& self, const Args& args, Budget& budget) {
  return same_kind(self, format_braces(self, args, budget));
}

template <bool (*Holds)(char32_t)>
Value every(const Value& self, const Args& args, Budget& budget) {
  const Bound none("the method", args, {});
  const std::string& text = self.as_text();
  budget.text(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (!Holds(unicode::decode(text, at))) return Value::boolean(false);
  }
  return Value::boolean(!text.empty());
}

bool is_alphanumeric(char32_t code) {
  return unicode::is_alpha(code) || unicode::is_digit(code);
}
bool is_ascii(char32_t code) {
  return code < 0x80;
}

// At least one cased character and none of the other case.
Value cased(const Value& self, const Args& args, Budget& budget, bool upper) {
  const Bound none("the method", args, {});
  const std::string& text = self.as_text();
  budget.text(text.size());
  bool found = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = unicode::decode(text, at);
    if (upper ? unicode::is_lower(code) : unicode::is_upper(code)) return Value::boolean(false);
    found = found || unicode::is_upper(code) || unicode::is_lower(code);
  }
  return Value::boolean(found);
}
Value is_upper(const Value& self, const Args& args, Budget& budget) {
  return cased(self, args, budget, true);
}
Value is_lower(const Value& self, const Args& args, Budget& budget) {
  return cased(self, args, budget, false);
}

Value is_title(const Value& self, const Args& args, Budget& budget) {
  const Bound none("istitle()", args, {});
  budget.text(self.as_text().size() * 2);
  const std::string& text = self.as_text();
  const bool has_case = unicode::upper(text) != unicode::lower(text);
  return Value::boolean(has_case && unicode::title(text) == text);
}

Value is_ascii_text(const Value& self, const Args& args, Budget& budget) {
  return Value::boolean(self.as_text().empty() || every<is_ascii>(self, args, budget).as_bool());
}

}  // namespace

TextMethod find_text_method(std::string_view name) {
  static const std::unordered_map<std::string_view, TextMethod> kMethods = {
      {"capitalize", mapped<unicode::capitalize>},
      {"casefold", mapped<unicode::lower>},
      {"center", center},
      {"count", count},
      {"endswith", ends_with},
      {"find", find_first},
      {"format", format},
      {"index", index_first},
      {"isalnum", every<is_alphanumeric>},
      {"isalpha", every<unicode::is_alpha>},
      {"isascii", is_ascii_text},
      {"isdecimal", every<unicode::is_digit>},
      {"isdigit", every<unicode::is_digit>},
      {"islower", is_lower},
      {"isnumeric", every<unicode::is_digit>},
      {"isspace", every<unicode::is_space>},
      {"istitle", is_title},
      {"isupper", is_upper},
      {"join", join},
      {"ljust", pad_right},
      {"lower", mapped<unicode::lower>},
      {"lstrip", strip_left},
      {"partition", partition},
      {"removeprefix", remove_prefix},
      {"removesuffix", remove_suffix},
      {"replace", replace},
      {"rfind", find_right},
      {"rindex", index_right},
      {"rjust", pad_left},
      {"rpartition", partition_right},
      {"rstrip", strip_right},
      {"splitlines", lines},
      {"startswith", starts_with},
      {"strip", strip_both},
      {"swapcase", mapped<unicode::swap_case>},
      {"title", mapped<unicode::title>},
      {"upper", mapped<unicode::upper>},
      {"zfill", zero_fill},
  };
  const auto found = kMethods.find(name);
  return found != kMethods.end() ? found->second : find_split_method(name);
}

}  // namespace ridge::jinja
