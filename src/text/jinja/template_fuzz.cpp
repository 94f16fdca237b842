// Covers: src/text/jinja/lexer.cpp src/text/jinja/literals.cpp src/text/jinja/parser*.cpp
// Any bytes as a template, rendered over one conversation under small limits: an Error or an output, never a crash.
#include "text/jinja/template.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ridge::Json context = ridge::Json::parse(R"({
    "messages": [{"role": "system", "content": " Be <brief>. "}, {"role": "user", "content": "Zürich?\n"},
                 {"role": "assistant", "content": null, "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}]}],
    "tools": [{"type": "function", "function": {"name": "f", "parameters": {"a": {"type": "number", "default": 1.5}}}}],
    "x": 7, "y": -2.5, "s": "one,two,,three", "d": {"b": 1, "A": [true, null]}, "l": [3, 1, 2],
    "add_generation_prompt": true, "bos_token": "<s>"})");
  ridge::jinja::Options options;
  options.limits = {.max_steps = 20'000, .max_output_bytes = std::size_t{1} << 18, .max_depth = 200};
  options.now = std::tm{};
  try {
    const ridge::jinja::Template parsed(std::string_view(reinterpret_cast<const char*>(data), size));
    static_cast<void>(parsed.render(context, options));
  } catch (const ridge::Error&) {  // what a bad template must give
  }
  return 0;
}
