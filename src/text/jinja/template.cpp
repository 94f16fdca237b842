#include "text/jinja/template.h"

#include "text/jinja/interpreter.h"
#include "text/jinja/parser.h"
#include "text/jinja/printing.h"
#include "text/utf8.h"

#include <nlohmann/json.hpp>

namespace ridge::jinja {
namespace {

constexpr std::size_t kMaxSourceBytes = std::size_t{1} << 20;

std::string located(int line, const std::string& message) {
  return line > 0 ? fmt::format("template line {}: {}", line, message) : "template: " + message;
}

}  // namespace

TemplateError::TemplateError(ErrorKind kind, int line, const std::string& message)
    : Error(located(line, message)), kind_(kind), line_(line), message_(message) {}

Template::Template(std::string_view source) {
  if (source.size() > kMaxSourceBytes) {
    throw TemplateError(ErrorKind::kLimit, 0,
                        fmt::format("{} bytes, more than the {} that are read here", source.size(), kMaxSourceBytes));
  }
  if (valid_utf8_prefix(source) != source.size()) throw TemplateError(ErrorKind::kSyntax, 0, "not UTF-8");
  try {
    program_ = std::make_shared<const Program>(parse(source));
  } catch (const Failure& failure) {
    throw TemplateError(failure.kind(), failure.line(), failure.what());
  }
}

std::string Template::render(const Json& context, const Options& options) const {
  require(context.is_object(), "template: the context must be a JSON object, got {}", context.type_name());
  int line = 0;
  try {
    const Value variables = from_json(context);
    Interpreter interpreter(variables.as_dict(), options);
    try {
      return interpreter.run(*program_);
    } catch (const Failure&) {
      line = interpreter.line();
      throw;
    }
  } catch (const Failure& failure) {
    throw TemplateError(failure.kind(), line, failure.what());
  }
}

}  // namespace ridge::jinja
