// Every tensor type that GGUF files can carry, so that a file with one unsupported here is still checked and named.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ridge {

struct GgmlType {
  std::uint32_t id;
  std::string_view name;
  int block_elements;  // 0 for a type that was withdrawn: its size is no longer defined
  int block_bytes;
};

// None for an id that no GGUF version has defined.
std::optional<GgmlType> find_ggml_type(std::uint32_t id);

// "Q4_K (type 12)", or "unknown (type 99)".
std::string ggml_type_name(std::uint32_t id);

}  // namespace ridge
