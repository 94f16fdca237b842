// Chat templates: the Jinja2 language as models' templates use it, with the values and the output of Python's jinja2
// set up as Hugging Face transformers sets it up (immutable sandbox, trim_blocks, lstrip_blocks, break and continue,
// the generation block, raise_exception, strftime_now, and tojson = json.dumps without ASCII escapes).
//
// Known gaps, each a clear error rather than a different output: integers past 64 bits; block, extends, include,
// import and autoescape; the filters pprint, random, striptags, urlize, wordwrap and xmlattr; "\N{name}" in a string
// literal. Case mapping is per code point (ß becomes SS; no other one-to-many mapping, no final sigma). Generators
// (map, select, items ...) are evaluated at once, not lazily.
#pragma once

#include "core/error.h"
#include "core/json.h"

#include <cstddef>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace ridge::jinja {

enum class ErrorKind {
  kSyntax,     // the template cannot be read: grammar, or an unknown tag, filter or test
  kUndefined,  // something was done with an undefined value that only a defined one allows
  kRaised,     // the template refused its input through raise_exception; what() carries its message
  kForbidden,  // the sandbox forbids it: changing a list or dict
  kRuntime,    // an operation on values of the wrong type or range
  kLimit,      // one of Limits was reached, or an integer left 64 bits
};

// what() reads "template line 12: ..."; the line is the template's, counted from 1.
class TemplateError : public Error {
 public:
  TemplateError(ErrorKind kind, int line, const std::string& message);
  [[nodiscard]] ErrorKind kind() const { return kind_; }
  [[nodiscard]] int line() const { return line_; }
  // The message without the "template line 12: " before it.
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  ErrorKind kind_;
  int line_;
  std::string message_;
};

// Reaching a limit throws TemplateError of kind kLimit. Memory is bounded by max_steps too: every 256 bytes that an
// expression makes cost one step.
struct Limits {
  std::size_t max_steps = 4'000'000;
  std::size_t max_output_bytes = std::size_t{16} << 20;  // of the output and of any one string
  std::size_t max_depth = 600;                           // nested expressions, statements and calls being evaluated
};

struct Options {
  Limits limits;
  std::optional<std::tm> now;  // local time for strftime_now, which fails without it
};

struct Program;

// A parsed template: immutable, cheap to copy, may be rendered from several threads at once.
class Template {
 public:
  // Throws TemplateError of kind kSyntax or kLimit. The source is UTF-8 of at most 1 MiB.
  explicit Template(std::string_view source);

  // `context` is an object whose members are the template's variables. Throws TemplateError.
  [[nodiscard]] std::string render(const Json& context, const Options& options = {}) const;

 private:
  std::shared_ptr<const Program> program_;
};

}  // namespace ridge::jinja
