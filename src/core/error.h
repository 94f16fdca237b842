// Errors: one exception type that names the operation, the rule and the values.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ridge {

// The call site of a check. std::source_location needs compiler builtins that clang 14 lacks over GCC 12's headers.
struct Where {
  const char* file;
  int line;
  static constexpr Where here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { return {file, line}; }
};

// A broken contract, a malformed file, an unsupported configuration. what() is one line for the user.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, Where where = Where::here())
      : std::runtime_error(message), where_(where) {}
  [[nodiscard]] Where where() const { return where_; }

 private:
  Where where_;
};

// A bad flag, verb or value on the command line: the process exits with 2 instead of 1.
class UsageError : public Error {
 public:
  using Error::Error;
};

// Checks a format string at compile time and carries the call site along with it.
template <class... Parts>
struct CheckedFormat {
  template <class Text>
  consteval CheckedFormat(const Text& text, Where site = Where::here()) : format(text), where(site) {}
  fmt::format_string<Parts...> format;
  Where where;
};

template <class... Parts>
[[noreturn]] void fail(CheckedFormat<std::type_identity_t<Parts>...> message, Parts&&... parts) {
  throw Error(fmt::format(message.format, std::forward<Parts>(parts)...), message.where);
}

// require(t.rank() == 2, "rms_norm: x must have 2 dimensions, got {}", t.rank()): throws Error when the rule is broken.
template <class... Parts>
void require(bool condition, CheckedFormat<std::type_identity_t<Parts>...> message, Parts&&... parts) {
  if (!condition) [[unlikely]]
    throw Error(fmt::format(message.format, std::forward<Parts>(parts)...), message.where);
}

}  // namespace ridge
