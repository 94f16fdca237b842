#include "ops/linear/pack.h"

#include "core/error.h"
#include "core/half.h"
#include "ops/linear/packed.h"

#include <cstring>

namespace ridge {
namespace {

void put_half(std::byte* at, float value) {
  const std::uint16_t bits = to_half(value).bits;
  std::memcpy(at, &bits, sizeof bits);
}

float get_half(const std::byte* at) {
  Half half{};
  std::memcpy(&half.bits, at, sizeof half.bits);
  return to_float(half);
}

// Where the integer of (row, column of the group) lies in a group's integers, and its shift.
struct Place {
  std::int64_t byte;
  int shift;
};
constexpr Place place_of(int bits, std::int64_t row, std::int64_t column) {
  const std::int64_t quad = column / 4;
  const std::int64_t within = row * 4 + column % 4;
  if (bits == 8) return {quad * kRunBytes + within, 0};
  return {quad / 2 * kRunBytes + within, static_cast<int>(quad % 2) * 4};
}

// Writes one group of one row.
void pack_group(Format format, std::span<const std::byte> stored, std::int64_t row, std::byte* group) {
  const PackedFormat packed = packed_format(format);
  const Group values = unpack_group(format, stored);
  // Unsigned on their way: 4-bit integers as the file has them, 8-bit ones moved up by 128.
  const int lift = packed.bits == 8 ? 128 : (group_view(format)->is_signed ? 8 : 0);
  for (std::int64_t column = 0; column < kGroupElements; ++column) {
    const Place place = place_of(packed.bits, row, column);
    const auto integer = static_cast<unsigned>(values.q[static_cast<std::size_t>(column)] + lift);
    group[place.byte] |= static_cast<std::byte>(integer << static_cast<unsigned>(place.shift));
  }
  std::byte* scales = group + packed_integer_bytes(packed.bits);
  put_half(scales + row * 2, values.scale);
  if (packed.has_minimum) put_half(scales + kRowsOfBlock * 2 + row * 2, values.minimum);
}

struct PackJob {
  Format format;
  std::int64_t n, k;
  std::span<const std::byte> rows;
  std::byte* to;

  [[nodiscard]] std::span<const std::byte> row(std::int64_t index) const {
    const auto bytes = static_cast<std::size_t>(row_bytes(format, k));
    return rows.subspan(static_cast<std::size_t>(index) * bytes, bytes);
  }

  void pack_floats(std::int64_t block, std::byte* out) const {
    const std::int64_t element = format == Format::f32 ? 4 : 2;
    for (std::int64_t r = 0; r < kRowsOfBlock && block * kRowsOfBlock + r < n; ++r) {
      const std::byte* from = row(block * kRowsOfBlock + r).data();
      for (std::int64_t column = 0; column < k; ++column) {
        std::memcpy(out + (column * kRowsOfBlock + r) * element, from + column * element,
                    static_cast<std::size_t>(element));
      }
    }
  }

  void pack_groups(std::int64_t block, std::byte* out) const {
    const auto stored_bytes = static_cast<std::size_t>(format_info(format).block_bytes);
    for (std::int64_t r = 0; r < kRowsOfBlock && block * kRowsOfBlock + r < n; ++r) {
      const std::span<const std::byte> stored = row(block * kRowsOfBlock + r);
      for (std::int64_t group = 0; group < k / kGroupElements; ++group) {
        pack_group(format, stored.subspan(static_cast<std::size_t>(group) * stored_bytes, stored_bytes), r,
                   out + group * packed_group_bytes(format));
      }
    }
  }

  void operator()(std::int64_t block) const {
    const std::int64_t bytes = packed_block_bytes(format, k);
    std::byte* out = to + block * bytes;
    std::memset(out, 0, static_cast<std::size_t>(bytes));
    if (packed_format(format).bits == 0) {
      pack_floats(block, out);
    } else {
      pack_groups(block, out);
    }
  }
};

}  // namespace

std::size_t packed_bytes(Format format, std::int64_t n, std::int64_t k) {
  require(n >= 0 && k >= 0, "pack: [{}, {}] must not be negative", n, k);
  static_cast<void>(row_bytes(format, k));  // k must fit the format's blocks
  std::int64_t bytes = 0;
  require(!__builtin_mul_overflow(row_blocks(n), packed_block_bytes(format, k), &bytes),
          "pack: [{}, {}] {} is too large", n, k, format_name(format));
  return static_cast<std::size_t>(bytes);
}

Weight pack_weight(const Exec& exec, Format format, std::int64_t n, std::int64_t k, std::span<const std::byte> rows) {
  const std::size_t bytes = packed_bytes(format, n, k);
  Weight weight{format, n, k, exec.empty({static_cast<std::int64_t>(bytes)}, DType::i8, MemoryKind::weights)};
  if (exec.on_paper()) return weight;
  require(static_cast<std::int64_t>(rows.size()) == n * row_bytes(format, k), "pack: {} [{}, {}] has {} bytes, got {}",
          format_name(format), n, k, n * row_bytes(format, k), rows.size());
  const PackJob job{format, n, k, rows, weight.bytes.data<std::byte>()};
  exec.pool().parallel_for(row_blocks(n), [&](std::int64_t block, int) { job(block); });
  return weight;
}

void unpack_row(const Weight& weight, std::int64_t n, float* out) {
  const PackedFormat packed = packed_format(weight.format);
  const std::int64_t r = n % kRowsOfBlock;
  const std::byte* block =
      weight.bytes.data<std::byte>() + n / kRowsOfBlock * packed_block_bytes(weight.format, weight.k);
  if (packed.bits == 0) {
    const std::int64_t element = weight.format == Format::f32 ? 4 : 2;
    for (std::int64_t column = 0; column < weight.k; ++column) {
      const std::byte* from = block + (column * kRowsOfBlock + r) * element;
      decode_row(weight.format, {from, static_cast<std::size_t>(element)}, {out + column, 1});
    }
    return;
  }
  for (std::int64_t column = 0; column < weight.k; ++column) {
    const std::byte* group = block + column / kGroupElements * packed_group_bytes(weight.format);
    const Place place = place_of(packed.bits, r, column % kGroupElements);
    const unsigned byte = std::to_integer<unsigned>(group[place.byte]) >> static_cast<unsigned>(place.shift);
    const int integer =
        packed.bits == 8 ? static_cast<int>(byte) - 128 : static_cast<int>(byte & 15U) - packed.zero_point;
    const std::byte* scales = group + packed_integer_bytes(packed.bits) + r * 2;
    const float minimum = packed.has_minimum ? get_half(scales + kRowsOfBlock * 2) : 0.0F;
    out[column] = get_half(scales) * static_cast<float>(integer) + minimum;
  }
}

}  // namespace ridge
