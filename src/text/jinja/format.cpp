#include "text/jinja/format.h"

#include "text/jinja/access.h"
#include "text/jinja/format_spec.h"
#include "text/jinja/number.h"
#include "text/jinja/operators.h"
#include "text/jinja/printing.h"

#include <cctype>

namespace ridge::jinja {
namespace {

constexpr int kMaxNestedFields = 2;

// "..." % values, one conversion after the other.
class PercentFormat {
 public:
  PercentFormat(const Value& format, const Value& values, Budget& budget)
      : format_(format), text_(format.as_text()), values_(values), budget_(budget) {}

  std::string run() {
    while (at_ < text_.size()) {
      const std::size_t percent = std::min(text_.find('%', at_), text_.size());
      out_ += text_.substr(at_, percent - at_);
      at_ = percent;
      if (at_ < text_.size()) conversion();
      if (out_.size() > budget_.limits().max_output_bytes) budget_.text(out_.size());
    }
    const bool one = !values_.is(Kind::kTuple);
    const bool left_over = one ? used_ == 0 && !values_.is(Kind::kDict) && !values_.is(Kind::kList) : used_ < size();
    if (left_over && !keyed_) type_error("not all arguments converted during string formatting");
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::size_t size() const { return values_.is(Kind::kTuple) ? values_.items().size() : 1; }

  char peek() {
    if (at_ >= text_.size()) raise(ErrorKind::kRuntime, "incomplete format");
    return text_[at_];
  }

  const Value& next() {
    if (used_ >= size()) type_error("not enough arguments for format string");
    const Value& value = values_.is(Kind::kTuple) ? values_.items()[used_] : values_;
    ++used_;
    return value;
  }

  const Value* keyed_value() {
    if (peek() != '(') return nullptr;
    const std::size_t end = text_.find(')', at_);
    if (end == std::string_view::npos) raise(ErrorKind::kRuntime, "incomplete format key");
    if (!values_.is(Kind::kDict)) type_error("format requires a mapping");
    const std::string_view key = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    keyed_ = true;
    const Value* value = values_.as_dict().find(key);
    if (value == nullptr) raise(ErrorKind::kRuntime, "format: no key '{:.100}'", key);
    return value;
  }

  std::size_t number() {
    if (peek() == '*') {
      ++at_;
      const Value& value = next();
      if (!value.is_integral() || value.as_int() < 0 || value.as_int() > 1'000'000) type_error("* wants a small int");
      return static_cast<std::size_t>(value.as_int());
    }
    std::size_t value = 0;
    while (std::isdigit(static_cast<unsigned char>(peek())) != 0) {
      value = value * 10 + static_cast<std::size_t>(text_[at_++] - '0');
      if (value > 1'000'000) raise(ErrorKind::kLimit, "format width of more than 1000000");
    }
    return value;
  }

  void flags(FormatSpec& spec) {
    spec.align = '>';
    for (;; ++at_) {
      switch (peek()) {
        case '-':
          spec.align = '<';
          break;
        case '0':
          spec.fill.assign(1, '0');
          break;
        case '+':
          spec.sign = '+';
          break;
        case ' ':
          spec.sign = spec.sign == '+' ? '+' : ' ';
          break;
        case '#':
          spec.alternate = true;
          break;
        default:
          return;
      }
    }
  }

  void conversion() {
    ++at_;
    const Value* keyed = keyed_value();
    FormatSpec spec;
    flags(spec);
    spec.width = number();
    if (peek() == '.') {
      ++at_;
      spec.precision = static_cast<int>(number());
    }
    while (peek() == 'l' || peek() == 'h' || peek() == 'L') ++at_;
    spec.type = text_[at_++];
    if (spec.type == '%') {
      out_ += '%';
      return;
    }
    convert(keyed != nullptr ? *keyed : next(), spec);
  }

  void convert(const Value& value, FormatSpec spec) {
    const char type = spec.type;
    if (type == 's' || type == 'r' || type == 'a') {
      std::string text;
      if (type == 's') {
        text = to_text(value, budget_);
        if (format_.is_safe() && !value.is_safe()) text = escape_html(text, budget_);
      } else {
        append_repr(text, value, budget_);
      }
      spec.type = 's';
      spec.fill.assign(1, ' ');
      out_ += format_text(text, spec, budget_);
      return;
    }
    if (spec.fill == "0") spec.align = spec.align == '<' ? '<' : '=';
    if (spec.align == '<') spec.fill.assign(1, ' ');
    if (type == 'c' && value.is_text()) {
      spec.type = 's';
      out_ += format_text(value.as_text(), spec, budget_);
      return;
    }
    if (value.is_undefined()) value.fail_undefined();
    if (!value.is_number()) type_error("%{} format: a real number is required, not {}", type, value.type_name());
    number_conversion(value, spec);
  }

  void number_conversion(const Value& value, FormatSpec& spec) {
    switch (spec.type) {
      case 'i':
      case 'u':
        spec.type = 'd';
        [[fallthrough]];
      case 'd':
      case 'x':
      case 'X':
      case 'o':
      case 'c': {
        if (spec.type != 'd' && value.is(Kind::kFloat))
          type_error("%{} format: an integer is required, not float", spec.type);
        const std::int64_t whole = value.is(Kind::kFloat) ? truncate(value.as_double()) : value.as_int();
        spec.precision = -1;
        out_ += format_integer(whole, spec, budget_);
        return;
      }
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        out_ += format_real(value.as_double(), spec, budget_);
        return;
      default:
        raise(ErrorKind::kRuntime, "unsupported format character '{}'", spec.type);
    }
  }

  const Value& format_;
  std::string_view text_;
  const Value& values_;
  Budget& budget_;
  std::string out_;
  std::size_t at_ = 0;
  std::size_t used_ = 0;
  bool keyed_ = false;
};

// "...".format(...): literal text and {field!conversion:spec}.
class BraceFormat {
 public:
  BraceFormat(const Value& format, const Args& args, Budget& budget)
      : safe_(format.is_safe()), args_(args), budget_(budget) {}

  std::string run(std::string_view text, int nesting) {
    if (nesting > kMaxNestedFields) raise(ErrorKind::kRuntime, "Max string recursion exceeded");
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const char c = text[at++];
      if (c != '{' && c != '}') {
        out += c;
        continue;
      }
      const bool doubled = at < text.size() && text[at] == c;
      if (doubled) {
        out += c;
        ++at;
        continue;
      }
      if (c == '}') raise(ErrorKind::kRuntime, "Single '}}' encountered in format string");
      const std::size_t end = field_end(text, at);
      out += field(text.substr(at, end - at), nesting);
      at = end + 1;
      if (out.size() > budget_.limits().max_output_bytes) budget_.text(out.size());
    }
    return out;
  }

 private:
  static std::size_t field_end(std::string_view text, std::size_t at) {
    int open = 1;
    for (; at < text.size(); ++at) {
      if (text[at] == '{') ++open;
      if (text[at] == '}' && --open == 0) return at;
    }
    raise(ErrorKind::kRuntime, "expected '}}' before end of string");
  }

  std::string field(std::string_view text, int nesting) {
    const std::size_t name_end = std::min(text.find_first_of("!:"), text.size());
    Value value = resolve(text.substr(0, name_end));
    text.remove_prefix(name_end);
    if (!text.empty() && text[0] == '!') {
      if (text.size() < 2) raise(ErrorKind::kRuntime, "end of string while looking for conversion specifier");
      value = converted(value, text[1]);
      text.remove_prefix(2);
    }
    if (!text.empty() && text[0] != ':') raise(ErrorKind::kRuntime, "expected ':' after conversion specifier");
    const std::string spec = text.empty() ? "" : run(text.substr(1), nesting + 1);
    if (spec.empty()) return beside(value, to_text(value, budget_));
    if (value.is_undefined() || value.is_none() || value.is_sequence() || value.is(Kind::kDict) ||
        value.is(Kind::kObject))
      type_error("unsupported format string passed to {}.__format__", value.type_name());
    return beside(value, format_value(value, parse_format_spec(spec), budget_));
  }

  [[nodiscard]] std::string beside(const Value& value, const std::string& text) {
    return safe_ && !value.is_safe() ? escape_html(text, budget_) : text;
  }

  Value converted(const Value& value, char conversion) {
    if (conversion == 's') return Value::text(to_text(value, budget_));
    if (conversion != 'r' && conversion != 'a')
      raise(ErrorKind::kRuntime, "Unknown conversion specifier {}", conversion);
    std::string text;
    append_repr(text, value, budget_);
    return Value::text(std::move(text));
  }

  Value resolve(std::string_view name) {
    const std::size_t first_end = std::min(name.find_first_of(".["), name.size());
    Value value = argument(name.substr(0, first_end));
    name.remove_prefix(first_end);
    while (!name.empty()) {
      budget_.steps(1);
      const bool dot = name[0] == '.';
      const std::size_t end = dot ? std::min(name.find_first_of(".[", 1), name.size()) : name.find(']');
      if (end == std::string_view::npos) raise(ErrorKind::kRuntime, "Missing ']' in format string");
      const std::string_view part = name.substr(1, end - 1);
      if (part.empty()) raise(ErrorKind::kRuntime, "Empty attribute in format string");
      value = dot ? attribute(value, part) : item(value, key_of(part), budget_);
      name.remove_prefix(dot ? end : end + 1);
    }
    return value;
  }

  static Value key_of(std::string_view part) {
    const bool digits = part.find_first_not_of("0123456789") == std::string_view::npos;
    const auto number = digits ? parse_integer(part, 10) : std::nullopt;
    return number ? Value::integer(*number) : Value::text(std::string(part));
  }

  Value argument(std::string_view name) {
    if (name.find_first_not_of("0123456789") == std::string_view::npos) {
      const Numbering numbering = name.empty() ? Numbering::kAutomatic : Numbering::kManual;
      if (numbering_ != Numbering::kNone && numbering_ != numbering)
        raise(ErrorKind::kRuntime, "cannot mix manual field specification and automatic field numbering");
      numbering_ = numbering;
      const std::int64_t index = name.empty() ? automatic_++ : parse_integer(name, 10).value_or(0);
      if (index >= static_cast<std::int64_t>(args_.positional.size()))
        raise(ErrorKind::kRuntime, "Replacement index {} out of range for positional args tuple", index);
      return args_.positional[static_cast<std::size_t>(index)];
    }
    for (const auto& [key, value] : args_.named) {
      if (key == name) return value;
    }
    raise(ErrorKind::kRuntime, "format: no argument '{:.100}'", name);
  }

  bool safe_;
  const Args& args_;
  Budget& budget_;
  enum class Numbering { kNone, kManual, kAutomatic };
  Numbering numbering_ = Numbering::kNone;
  std::int64_t automatic_ = 0;
};

}  // namespace

std::string format_percent(const Value& format, const Value& values, Budget& budget) {
  budget.text(format.as_text().size());
  return PercentFormat(format, values, budget).run();
}

std::string format_braces(const Value& format, const Args& args, Budget& budget) {
  budget.text(format.as_text().size());
  return BraceFormat(format, args, budget).run(format.as_text(), 0);
}

}  // namespace ridge::jinja
