// What one rendering may still spend, and the failure that ends it.
#pragma once

#include "text/jinja/template.h"

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace ridge::jinja {

// Thrown inside this folder; template.cpp adds the line and turns it into TemplateError. `line` 0: not known here.
class Failure : public std::runtime_error {
 public:
  Failure(ErrorKind kind, const std::string& message, int line = 0)
      : std::runtime_error(message), kind_(kind), line_(line) {}
  [[nodiscard]] ErrorKind kind() const { return kind_; }
  [[nodiscard]] int line() const { return line_; }

 private:
  ErrorKind kind_;
  int line_;
};

template <class... Parts>
[[noreturn]] void raise(ErrorKind kind, fmt::format_string<Parts...> message, Parts&&... parts) {
  throw Failure(kind, fmt::format(message, std::forward<Parts>(parts)...));
}

template <class... Parts>
[[noreturn]] void type_error(fmt::format_string<Parts...> message, Parts&&... parts) {
  throw Failure(ErrorKind::kRuntime, fmt::format(message, std::forward<Parts>(parts)...));
}

class Budget {
 public:
  explicit Budget(const Limits& limits) : limits_(limits), steps_left_(limits.max_steps) {}

  void steps(std::size_t count) {
    if (count > steps_left_) raise(ErrorKind::kLimit, "more than {} steps", limits_.max_steps);
    steps_left_ -= count;
  }
  // Before making `bytes` of new text.
  void text(std::size_t bytes) {
    if (bytes > limits_.max_output_bytes)
      raise(ErrorKind::kLimit, "text of more than {} bytes", limits_.max_output_bytes);
    steps(1 + bytes / kBytesPerStep);
  }
  // Before making a sequence of `count` values.
  void values(std::size_t count) { steps(1 + count / kValuesPerStep); }

  [[nodiscard]] const Limits& limits() const { return limits_; }
  std::size_t& printing_depth() { return printing_depth_; }  // how deep the value at hand is in the one being printed

 private:
  static constexpr std::size_t kBytesPerStep = 256;
  static constexpr std::size_t kValuesPerStep = 8;
  Limits limits_;
  std::size_t steps_left_;
  std::size_t printing_depth_ = 0;
};

}  // namespace ridge::jinja
