#include "text/jinja/unicode.h"

#include <locale.h>

#include <cwctype>

namespace ridge::jinja::unicode {
namespace {

constexpr char32_t kSharpS = 0xDF;

// glibc's Unicode tables, whatever locale the process runs in. Null when the system has no such locale: then only
// ASCII letters change case.
locale_t tables() {
  static const locale_t kLocale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return kLocale;
}

bool ascii(char32_t code) {
  return code < 0x80;
}
bool ascii_upper(char32_t code) {
  return code >= 'A' && code <= 'Z';
}
bool ascii_lower(char32_t code) {
  return code >= 'a' && code <= 'z';
}

char32_t to_upper(char32_t code) {
  if (ascii(code)) return ascii_lower(code) ? code - 32 : code;
  return tables() == nullptr ? code : static_cast<char32_t>(::towupper_l(static_cast<wint_t>(code), tables()));
}

char32_t to_lower(char32_t code) {
  if (ascii(code)) return ascii_upper(code) ? code + 32 : code;
  return tables() == nullptr ? code : static_cast<char32_t>(::towlower_l(static_cast<wint_t>(code), tables()));
}

void append_upper(std::string& out, char32_t code, bool first_of_word) {
  if (code == kSharpS) {
    out += first_of_word ? "Ss" : "SS";
  } else {
    append(out, to_upper(code));
  }
}

bool continuation(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

// The length that a lead byte announces; 0 for a byte that cannot lead.
std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

bool in_set(const std::string* set, char32_t code) {
  if (set == nullptr) return is_space(code);
  for (std::size_t at = 0; at < set->size();) {
    if (decode(*set, at) == code) return true;
  }
  return false;
}

}  // namespace

char32_t decode(std::string_view text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t size = sequence_length(lead);
  if (size <= 1) {
    ++at;
    return lead;
  }
  char32_t code = lead & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size && at + i < text.size(); ++i) {
    code = (code << 6U) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  }
  at += size;
  return code;
}

void append(std::string& out, char32_t code) {
  const auto push = [&](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) {
    push(code);
  } else if (code < 0x800) {
    push(0xC0 | (code >> 6U));
    push(0x80 | (code & 0x3FU));
  } else if (code < 0x10000) {
    push(0xE0 | (code >> 12U));
    push(0x80 | ((code >> 6U) & 0x3FU));
    push(0x80 | (code & 0x3FU));
  } else {
    push(0xF0 | (code >> 18U));
    push(0x80 | ((code >> 12U) & 0x3FU));
    push(0x80 | ((code >> 6U) & 0x3FU));
    push(0x80 | (code & 0x3FU));
  }
}

std::size_t length(std::string_view text) {
  std::size_t count = 0;
  for (const char byte : text) count += (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U ? 1 : 0;
  return count;
}

std::size_t offset(std::string_view text, std::size_t index) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (continuation(text, at)) continue;
    if (index == 0) return at;
    --index;
  }
  return at;
}

bool is_space(char32_t code) {
  return (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x20) || code == 0x85 || code == 0xA0 ||
         code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F ||
         code == 0x205F || code == 0x3000;
}

bool is_line_break(char32_t code) {
  return (code >= 0x0A && code <= 0x0D) || (code >= 0x1C && code <= 0x1E) || code == 0x85 || code == 0x2028 ||
         code == 0x2029;
}

bool is_alpha(char32_t code) {
  if (ascii(code)) return ascii_upper(code) || ascii_lower(code);
  return tables() != nullptr && ::iswalpha_l(static_cast<wint_t>(code), tables()) != 0;
}

bool is_digit(char32_t code) {
  return code >= '0' && code <= '9';
}
bool is_word(char32_t code) {
  return is_alpha(code) || is_digit(code) || code == '_';
}

bool is_printable(char32_t code) {
  if (ascii(code)) return code >= 0x20 && code < 0x7F;
  const bool invisible = is_space(code) || code < 0xA0 || code == 0xAD || (code >= 0x200B && code <= 0x200F) ||
                         (code >= 0x202A && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) ||
                         (code >= 0xE000 && code <= 0xF8FF) || code == 0xFEFF || (code >= 0xFFF0 && code <= 0xFFFB) ||
                         code >= 0xE0000;
  return !invisible && (tables() == nullptr || ::iswprint_l(static_cast<wint_t>(code), tables()) != 0);
}

bool is_upper(char32_t code) {
  return to_lower(code) != code;
}
bool is_lower(char32_t code) {
  return code == kSharpS || to_upper(code) != code;
}

std::string upper(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) append_upper(out, decode(text, at), false);
  return out;
}

std::string lower(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) append(out, to_lower(decode(text, at)));
  return out;
}

std::string capitalize(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  if (!text.empty()) append_upper(out, decode(text, at), true);
  return out + lower(text.substr(at));
}

std::string title(std::string_view text) {
  std::string out;
  bool inside_word = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = decode(text, at);
    if (inside_word) {
      append(out, to_lower(code));
    } else {
      append_upper(out, code, true);
    }
    inside_word = is_upper(code) || is_lower(code);
  }
  return out;
}

std::string swap_case(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = decode(text, at);
    if (is_upper(code)) {
      append(out, to_lower(code));
    } else {
      append_upper(out, code, false);
    }
  }
  return out;
}

std::size_t leading(std::string_view text, const std::string* set) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t next = at;
    if (!in_set(set, decode(text, next))) break;
    at = next;
  }
  return at;
}

std::size_t trailing(std::string_view text, const std::string* set) {
  std::size_t end = text.size();
  while (end > 0) {
    std::size_t begin = end - 1;
    while (begin > 0 && continuation(text, begin)) --begin;
    std::size_t at = begin;
    if (!in_set(set, decode(text, at))) break;
    end = begin;
  }
  return text.size() - end;
}

}  // namespace ridge::jinja::unicode
