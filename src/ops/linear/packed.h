// The packed layout of weights on the CPU: what pack.cpp writes and the kernels read.
//
// Sixteen rows (outputs) stand side by side, so that a kernel never sums across lanes. A block of rows holds:
//   float formats: for each k, the sixteen weights of column k.
//   block formats: for each group of 32 columns, the integers, then sixteen f16 scales, then sixteen f16 minima if the
//     format has them. The integers are the file's own bytes, four by four: run j, of 64 bytes, holds bytes 4 j .. 4 j
//     + 3 of each row. In 4 bits these are columns 4 j + i in the low nibbles and 16 + 4 j + i in the high ones.
// Rows beyond the last are zeros. So the packed size is that of the file, rounded up to sixteen rows, and packing is a
// transposition.
#pragma once

#include "formats/format.h"
#include "formats/group.h"

#include <cstddef>
#include <cstdint>

namespace ridge {

inline constexpr std::int64_t kRowsOfBlock = 16;
inline constexpr std::int64_t kRunBytes = 64;

struct PackedFormat {
  int bits;        // of an integer: 4 or 8; 0 for float formats
  int zero_point;  // subtracted from 4-bit integers
  bool has_minimum;
};

constexpr PackedFormat packed_format(Format format) {
  switch (format) {
    case Format::q4_0:
      return {4, 8, false};
    case Format::q4_1:
      return {4, 0, true};
    case Format::q8_0:
      return {8, 0, false};
    case Format::f32:
    case Format::f16:
    case Format::bf16:
      break;
  }
  return {0, 0, false};
}

constexpr std::int64_t packed_integer_bytes(int bits) {
  return kRowsOfBlock * kGroupElements * bits / 8;
}

// Bytes of one group of sixteen rows.
constexpr std::int64_t packed_group_bytes(Format format) {
  const PackedFormat packed = packed_format(format);
  return packed_integer_bytes(packed.bits) + kRowsOfBlock * 2 * (packed.has_minimum ? 2 : 1);
}

// Bytes of sixteen rows of `k` columns.
constexpr std::int64_t packed_block_bytes(Format format, std::int64_t k) {
  if (packed_format(format).bits == 0) return kRowsOfBlock * k * (format == Format::f32 ? 4 : 2);
  return k / kGroupElements * packed_group_bytes(format);
}

constexpr std::int64_t row_blocks(std::int64_t n) {
  return n / kRowsOfBlock + (n % kRowsOfBlock != 0 ? 1 : 0);
}

}  // namespace ridge
