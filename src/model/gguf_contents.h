// The contents of a GGUF file, read and checked. Users want GgufFile (gguf.h), which keeps the file mapped.
#pragma once

#include "formats/format.h"
#include "model/gguf_value.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge {

inline constexpr std::uint32_t kGgufMagic = 0x46554747;  // "GGUF"
inline constexpr std::uint64_t kGgufDefaultAlignment = 32;
inline constexpr std::size_t kGgufMaxName = 65535;  // bytes of a key or tensor name
inline constexpr std::uint32_t kGgufMaxRank = 4;

struct GgufEntry {
  std::string_view key;
  GgufValue value;
};

struct GgufTensor {
  std::string name;
  std::uint32_t ggml_type;
  std::optional<Format> format;     // none where ggml_type is not one of ours
  std::vector<std::int64_t> shape;  // outermost first, as in PyTorch: [rows, columns]; 1 to 4 sizes, each positive
  std::uint64_t offset;             // in the file
  std::uint64_t bytes;
  std::span<const std::byte> data;  // empty where only the header was read
};

// Whether the tensors' bytes must be there.
enum class GgufPart { whole, header };

struct GgufContents {
  std::uint32_t version;
  std::vector<GgufEntry> entries;
  std::vector<GgufTensor> tensors;
  std::vector<std::size_t> entries_by_key;   // indexes, sorted by key
  std::vector<std::size_t> tensors_by_name;  // indexes, sorted by name
};

// Reads versions 2 and 3, little-endian (the GGUF specification of the ggml project). The result has views into
// `bytes`. Everything is checked: after this no size, count, offset or type in the contents can lead outside `bytes`,
// and no two tensors overlap. Throws Error naming `file`, the thing, the rule and the value.
GgufContents read_gguf(std::span<const std::byte> bytes, std::string_view file, GgufPart part);

}  // namespace ridge
