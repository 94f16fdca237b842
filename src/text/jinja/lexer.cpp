#include "text/jinja/lexer.h"

#include "text/jinja/budget.h"
#include "text/jinja/literals.h"
#include "text/jinja/unicode.h"

#include <algorithm>

namespace ridge::jinja {
namespace {

// All line ends become "\n", and one at the end of the template goes.
std::string normalized(std::string_view source) {
  std::string out;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const bool crlf = source[i] == '\r' && i + 1 < source.size() && source[i + 1] == '\n';
    if (crlf) ++i;
    out += source[i] == '\r' ? '\n' : source[i];
  }
  if (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : storage_(normalized(source)), source_(storage_) {}

  std::vector<Token> run() {
    while (at_ < source_.size()) text_and_tag();
    push(TokenKind::kEnd, "");
    return std::move(tokens_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw Failure(ErrorKind::kSyntax, message, line_); }

  void push(TokenKind kind, std::string text) { tokens_.push_back({kind, line_, std::move(text)}); }

  [[nodiscard]] bool starts(std::string_view text) const { return source_.substr(at_, text.size()) == text; }

  // Moves on, counting lines.
  void advance(std::size_t bytes) {
    const std::string_view passed = source_.substr(at_, bytes);
    line_ += static_cast<int>(std::count(passed.begin(), passed.end(), '\n'));
    at_ += bytes;
  }

  void skip_space() { advance(unicode::leading(source_.substr(at_))); }

  [[nodiscard]] std::size_t find_tag() const {
    for (std::size_t at = source_.find('{', at_); at != std::string_view::npos; at = source_.find('{', at + 1)) {
      if (at + 1 < source_.size() && (source_[at + 1] == '%' || source_[at + 1] == '{' || source_[at + 1] == '#'))
        return at;
    }
    return std::string_view::npos;
  }

  void text_and_tag() {
    const std::size_t tag = find_tag();
    if (tag == std::string_view::npos) {
      push(TokenKind::kData, std::string(source_.substr(at_)));
      advance(source_.size() - at_);
      return;
    }
    const char kind = source_[tag + 1];
    const char sign = sign_at(tag + 2);
    data(source_.substr(at_, tag - at_), sign, kind == '{');
    advance(tag - at_ + 2 + (sign != 0 ? 1 : 0));
    if (kind == '#') {
      comment();
    } else if (kind == '{') {
      tag_tokens(TokenKind::kVariableBegin, TokenKind::kVariableEnd, "}}");
    } else if (!raw()) {
      tag_tokens(TokenKind::kBlockBegin, TokenKind::kBlockEnd, "%}");
    }
  }

  [[nodiscard]] char sign_at(std::size_t at) const {
    return at < source_.size() && (source_[at] == '-' || source_[at] == '+') ? source_[at] : '\0';
  }

  // Text before a tag: '-' takes all white space before the tag, and a block or comment that stands first on its line
  // takes the indentation.
  void data(std::string_view text, char sign, bool variable) {
    if (sign == '-') {
      text.remove_suffix(unicode::trailing(text));
    } else if (sign == 0 && !variable) {
      const std::size_t line_begin = text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1;
      const std::string_view indent = text.substr(line_begin);
      const bool blank = !indent.empty() && unicode::leading(indent) == indent.size();
      if (blank && (line_begin > 0 || line_starting_)) text = text.substr(0, line_begin);
    }
    if (!text.empty()) push(TokenKind::kData, std::string(text));
  }

  // Past the end of a tag: "-%}" takes the white space after it, "%}" one new line, "+%}" and "}}" nothing.
  bool take_end(std::string_view end, bool trim) {
    const char sign = sign_at(at_);
    const bool plus_allowed = end != "}}";
    const std::size_t skip = sign == '-' || (sign == '+' && plus_allowed) ? 1 : 0;
    if (source_.substr(at_ + skip, end.size()) != end || at_ + skip > source_.size()) return false;
    advance(skip + end.size());
    if (skip == 1 && sign == '-') {
      skip_space();
    } else if (skip == 0 && trim && starts("\n")) {
      advance(1);
    }
    line_starting_ = source_[at_ - 1] == '\n';
    return true;
  }

  void comment() {
    const std::size_t end = source_.find("#}", at_);
    if (end == std::string_view::npos) fail("Missing end of comment tag");
    const char before = end > at_ ? source_[end - 1] : '\0';
    advance(end - at_ - (before == '-' || before == '+' ? 1 : 0));
    take_end("#}", true);
  }

  // {% raw %} ... {% endraw %}; false when the tag at hand is another.
  bool raw() {
    std::size_t at = at_ + unicode::leading(source_.substr(at_));
    if (source_.substr(at, 3) != "raw") return false;
    at += 3;
    at += unicode::leading(source_.substr(at));
    const bool dash = source_.substr(at, 3) == "-%}";
    if (!dash && source_.substr(at, 2) != "%}") return false;
    advance(at - at_ + (dash ? 3 : 2));
    if (dash) skip_space();
    line_starting_ = source_[at_ - 1] == '\n';
    raw_text();
    return true;
  }

  void raw_text() {
    for (std::size_t tag = source_.find("{%", at_); tag != std::string_view::npos; tag = source_.find("{%", tag + 1)) {
      const char sign = sign_at(tag + 2);
      std::size_t at = tag + 2 + (sign != 0 ? 1 : 0);
      at += unicode::leading(source_.substr(at));
      if (source_.substr(at, 6) != "endraw") continue;
      at += 6;
      at += unicode::leading(source_.substr(at));
      const std::string_view rest = source_.substr(at);
      if (rest.substr(0, 2) != "%}" && rest.substr(0, 3) != "-%}" && rest.substr(0, 3) != "+%}") continue;
      data(source_.substr(at_, tag - at_), sign, false);
      advance(at - at_);
      take_end("%}", true);
      return;
    }
    fail("Missing end of raw directive");
  }

  void tag_tokens(TokenKind begin, TokenKind end, std::string_view closing) {
    push(begin, "");
    open_.clear();
    while (at_ < source_.size()) {
      const int line = line_;
      if (open_.empty() && take_end(closing, end == TokenKind::kBlockEnd)) {
        tokens_.push_back({end, line, ""});
        return;
      }
      token();
    }
  }

  void token() {
    const std::size_t space = unicode::leading(source_.substr(at_));
    if (space > 0) return advance(space);
    const std::string_view rest = source_.substr(at_);
    const bool after_dot = at_ > 0 && source_[at_ - 1] == '.';
    std::size_t size = after_dot ? 0 : match_float(rest);
    if (size > 0) return take(TokenKind::kFloat, size);
    size = match_integer(rest);
    if (size > 0) return take(TokenKind::kInteger, size);
    size = match_name(rest);
    if (size > 0) return take_name(size);
    size = match_text(rest);
    if (size > 0) return take_text(size);
    operator_token(rest);
  }

  void take(TokenKind kind, std::size_t size) {
    push(kind, std::string(source_.substr(at_, size)));
    advance(size);
  }

  void take_name(std::size_t size) {
    std::size_t at = 0;
    const std::string_view name = source_.substr(at_, size);
    const char32_t first = unicode::decode(name, at);
    if (!unicode::is_alpha(first) && first != '_') fail("Invalid character in identifier");
    take(TokenKind::kName, size);
  }

  void take_text(std::size_t size) {
    auto text = unescape(source_.substr(at_ + 1, size - 2));
    if (!text) fail("malformed escape in a string literal");
    push(TokenKind::kText, std::move(*text));
    advance(size);
  }

  void operator_token(std::string_view rest) {
    const std::size_t size = match_operator(rest);
    if (size == 0) {
      std::size_t end = 0;
      unicode::decode(rest, end);
      fail(fmt::format("unexpected char '{}'", rest.substr(0, end)));
    }
    const char c = rest[0];
    if (size == 1) balance(c);
    take(TokenKind::kOperator, size);
  }

  void balance(char c) {
    if (c == '(') open_ += ')';
    if (c == '[') open_ += ']';
    if (c == '{') open_ += '}';
    if (c != ')' && c != ']' && c != '}') return;
    if (open_.empty()) fail(fmt::format("unexpected '{}'", c));
    if (open_.back() != c) fail(fmt::format("unexpected '{}', expected '{}'", c, open_.back()));
    open_.pop_back();
  }

  std::string storage_;
  std::string_view source_;
  std::vector<Token> tokens_;
  std::string open_;  // the closing brackets that are still to come
  std::size_t at_ = 0;
  int line_ = 1;
  bool line_starting_ = true;  // the text at hand begins a line
};

}  // namespace

std::vector<Token> tokenize(std::string_view source) {
  return Lexer(source).run();
}

}  // namespace ridge::jinja
