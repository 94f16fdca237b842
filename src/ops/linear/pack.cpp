#include "ops/linear/pack.h"

#include "core/error.h"
#include "formats/blocks.h"
#include "ops/linear/packed.h"

#include <algorithm>
#include <cstring>

namespace ridge {
namespace {

template <class Block>
constexpr bool kHasMinimum = requires(Block block) {
  block.minimum;
};

constexpr std::int64_t kWordBytes = kRunBytes / kRowsOfBlock;

template <class Block>
constexpr std::int64_t kWords = sizeof(Block::q) / kWordBytes;

// Row `row` of a packed group of sixteen.
template <class Block>
void put_group(const Block& block, std::int64_t row, std::byte* group) {
  const auto* q = reinterpret_cast<const std::byte*>(&block.q);
  for (std::int64_t i = 0; i < kWords<Block>; ++i) {
    std::memcpy(group + i * kRunBytes + row * kWordBytes, q + i * kWordBytes, kWordBytes);
  }
  std::byte* scales = group + kWords<Block> * kRunBytes + row * 2;
  std::memcpy(scales, &block.scale, 2);
  if constexpr (kHasMinimum<Block>) std::memcpy(scales + kRowsOfBlock * 2, &block.minimum, 2);
}

template <class Block>
Block take_group(const std::byte* group, std::int64_t row) {
  Block block;
  auto* q = reinterpret_cast<std::byte*>(&block.q);
  for (std::int64_t i = 0; i < kWords<Block>; ++i) {
    std::memcpy(q + i * kWordBytes, group + i * kRunBytes + row * kWordBytes, kWordBytes);
  }
  const std::byte* scales = group + kWords<Block> * kRunBytes + row * 2;
  std::memcpy(&block.scale, scales, 2);
  if constexpr (kHasMinimum<Block>) std::memcpy(&block.minimum, scales + kRowsOfBlock * 2, 2);
  return block;
}

// Block `i` of row `row` of sixteen packed rows.
template <class Block>
Block packed_block(const std::byte* rows, std::int64_t i, std::int64_t row) {
  if constexpr (kHasGroups<Block>) {
    constexpr auto kGroupBytes = static_cast<std::int64_t>(kRowsOfBlock * sizeof(Block));
    return take_group<Block>(rows + i * kGroupBytes, row);
  } else {
    Block block;
    std::memcpy(&block, rows + (i * kRowsOfBlock + row) * static_cast<std::int64_t>(sizeof block), sizeof block);
    return block;
  }
}

// `count` rows (at most sixteen) of `blocks` blocks each, from the file to their packed form.
template <class Block>
void pack_rows(const std::byte* from, std::int64_t count, std::int64_t blocks, std::byte* to) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(Block));
  if (count < kRowsOfBlock) std::memset(to, 0, static_cast<std::size_t>(kRowsOfBlock * blocks * kBytes));
  for (std::int64_t i = 0; i < blocks; ++i) {
    for (std::int64_t row = 0; row < count; ++row) {
      Block block;
      std::memcpy(&block, from + (row * blocks + i) * kBytes, sizeof block);
      if constexpr (kHasGroups<Block>) {
        put_group(block, row, to + i * kRowsOfBlock * kBytes);
      } else {
        std::memcpy(to + (i * kRowsOfBlock + row) * kBytes, &block, sizeof block);
      }
    }
  }
}

}  // namespace

std::size_t packed_bytes(Format format, std::int64_t n, std::int64_t k) {
  require(n >= 0 && k >= 0, "pack: [{}, {}] must not be negative", n, k);
  std::int64_t bytes = 0;
  require(!__builtin_mul_overflow(row_bytes(format, k), kRowsOfBlock, &bytes) &&
              !__builtin_mul_overflow(row_blocks(n), bytes, &bytes),
          "pack: [{}, {}] {} is too large", n, k, format_name(format));
  return static_cast<std::size_t>(bytes);
}

Weight pack_weight(const Exec& exec, Format format, std::int64_t n, std::int64_t k, std::span<const std::byte> rows) {
  const std::size_t bytes = packed_bytes(format, n, k);
  Weight weight{format, n, k, exec.empty({static_cast<std::int64_t>(bytes)}, DType::i8, MemoryKind::weights)};
  if (exec.on_paper()) return weight;
  const std::int64_t stored = row_bytes(format, k);
  require(static_cast<std::int64_t>(rows.size()) == n * stored, "pack: {} [{}, {}] has {} bytes, got {}",
          format_name(format), n, k, n * stored, rows.size());
  const std::int64_t columns = k / format_info(format).block_elements;
  auto* to = weight.bytes.data<std::byte>();
  with_block(format, [&](auto block) {
    exec.pool().parallel_for(row_blocks(n), [&](std::int64_t item, int) {
      const std::int64_t first = item * kRowsOfBlock;
      pack_rows<decltype(block)>(rows.data() + first * stored, std::min(kRowsOfBlock, n - first), columns,
                                 to + first * stored);
    });
  });
  return weight;
}

void unpack_row(const Weight& weight, std::int64_t n, float* out) {
  const std::byte* rows =
      weight.bytes.data<std::byte>() + n / kRowsOfBlock * packed_block_bytes(weight.format, weight.k);
  with_block(weight.format, [&](auto block) {
    constexpr std::size_t kElements = decltype(block)::kElements;
    for (std::int64_t i = 0; i < weight.k / static_cast<std::int64_t>(kElements); ++i) {
      block = packed_block<decltype(block)>(rows, i, n % kRowsOfBlock);
      decode(block, std::span<float, kElements>(out + static_cast<std::size_t>(i) * kElements, kElements));
    }
  });
}

}  // namespace ridge
