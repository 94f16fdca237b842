// Weight formats by name: sizes, decoding, encoding, and the integer view that kernels pack from.
#pragma once

#include "formats/group.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ridge {

enum class Format : std::uint8_t { f32, f16, bf16, q4_0, q4_1, q8_0 };

struct FormatInfo {
  Format format;
  std::string_view name;    // "Q4_1"
  std::uint32_t ggml_type;  // the id that GGUF files carry
  int block_elements;
  int block_bytes;
};

// All formats, in the order of the enumeration.
std::span<const FormatInfo> format_table();
const FormatInfo& format_info(Format format);
std::string_view format_name(Format format);

// The format of that name in any case ("q4_1"), or of that ggml type id; none if there is no such format here.
std::optional<Format> find_format(std::string_view name);
std::optional<Format> find_format(std::uint32_t ggml_type);

// "F32, F16, …" for errors.
std::string format_names();

// Bytes of a row of `columns` weights. Throws Error unless columns is non-negative, a multiple of the format's block
// and the size fits in 63 bits.
std::int64_t row_bytes(Format format, std::int64_t columns);

// Decodes out.size() weights, bit for bit as the `gguf` Python package does. `row` may have any alignment. Throws Error
// unless row.size() == row_bytes(format, out.size()).
void decode_row(Format format, std::span<const std::byte> row, std::span<float> out);

// Encodes finite weights, bit for bit as the `gguf` Python package does. Throws Error as decode_row.
void encode_row(Format format, std::span<const float> in, std::span<std::byte> row);

// How the groups of a quantised format look; none for F32, F16 and BF16.
std::optional<GroupView> group_view(Format format);

// The group of 32 weights that the block holds. Throws Error if the format has no groups or block.size() is not its
// block_bytes.
Group unpack_group(Format format, std::span<const std::byte> block);

}  // namespace ridge
