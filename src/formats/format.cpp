#include "formats/format.h"

#include "core/error.h"
#include "formats/blocks.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <type_traits>
#include <vector>

namespace ridge {
namespace {

template <class Block>
constexpr FormatInfo entry(Format format, std::string_view name, std::uint32_t ggml_type) {
  return {format, name, ggml_type, Block::kElements, static_cast<int>(sizeof(Block))};
}

constexpr std::array<FormatInfo, 6> kFormats = {
    entry<F32Block>(Format::f32, "F32", 0),     entry<F16Block>(Format::f16, "F16", 1),
    entry<Bf16Block>(Format::bf16, "BF16", 30), entry<Q4_0Block>(Format::q4_0, "Q4_0", 2),
    entry<Q4_1Block>(Format::q4_1, "Q4_1", 3),  entry<Q8_0Block>(Format::q8_0, "Q8_0", 8),
};

bool equal_in_any_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

void check_row(Format format, std::size_t bytes, std::size_t elements) {
  const std::int64_t expected = row_bytes(format, static_cast<std::int64_t>(elements));
  require(static_cast<std::int64_t>(bytes) == expected, "{}: a row of {} weights has {} bytes, got {}",
          format_name(format), elements, expected, bytes);
}

}  // namespace

std::span<const FormatInfo> format_table() {
  return kFormats;
}

const FormatInfo& format_info(Format format) {
  return kFormats.at(static_cast<std::size_t>(format));
}

std::string_view format_name(Format format) {
  return format_info(format).name;
}

std::optional<Format> find_format(std::string_view name) {
  for (const FormatInfo& info : kFormats) {
    if (equal_in_any_case(info.name, name)) return info.format;
  }
  return std::nullopt;
}

std::optional<Format> find_format(std::uint32_t ggml_type) {
  for (const FormatInfo& info : kFormats) {
    if (info.ggml_type == ggml_type) return info.format;
  }
  return std::nullopt;
}

std::string format_names() {
  std::vector<std::string_view> names;
  for (const FormatInfo& info : kFormats) names.push_back(info.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::int64_t row_bytes(Format format, std::int64_t columns) {
  const FormatInfo& info = format_info(format);
  require(columns >= 0 && columns % info.block_elements == 0,
          "{}: a row's length must be a non-negative multiple of {}, got {}", info.name, info.block_elements, columns);
  std::int64_t bytes = 0;
  require(!__builtin_mul_overflow(columns / info.block_elements, std::int64_t{info.block_bytes}, &bytes),
          "{}: the bytes of a row must fit in 63 bits, got {} weights", info.name, columns);
  return bytes;
}

void decode_row(Format format, std::span<const std::byte> row, std::span<float> out) {
  check_row(format, row.size(), out.size());
  with_block(format, [&](auto block) {
    constexpr std::size_t kElements = decltype(block)::kElements;
    for (std::size_t i = 0; i < out.size() / kElements; ++i) {
      std::memcpy(&block, row.data() + i * sizeof block, sizeof block);
      decode(block, out.subspan(i * kElements).template first<kElements>());
    }
  });
}

void encode_row(Format format, std::span<const float> in, std::span<std::byte> row) {
  check_row(format, row.size(), in.size());
  with_block(format, [&](auto block) {
    constexpr std::size_t kElements = decltype(block)::kElements;
    for (std::size_t i = 0; i < in.size() / kElements; ++i) {
      encode(in.subspan(i * kElements).template first<kElements>(), block);
      std::memcpy(row.data() + i * sizeof block, &block, sizeof block);
    }
  });
}

std::optional<GroupView> group_view(Format format) {
  return with_block(format, []([[maybe_unused]] auto block) -> std::optional<GroupView> {
    using Block = decltype(block);
    if constexpr (kHasGroups<Block>) return Block::kView;
    return std::nullopt;
  });
}

Group unpack_group(Format format, std::span<const std::byte> bytes) {
  return with_block(format, [&](auto block) -> Group {
    if constexpr (kHasGroups<decltype(block)>) {
      require(bytes.size() == sizeof block, "{}: a block has {} bytes, got {}", format_name(format), sizeof block,
              bytes.size());
      std::memcpy(&block, bytes.data(), sizeof block);
      return unpack(block);
    } else {
      fail("{}: has no groups of integers", format_name(format));
    }
  });
}

}  // namespace ridge
