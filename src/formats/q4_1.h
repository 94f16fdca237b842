// Q4_1: 32 weights as w = scale * q + minimum, q of 4 bits; 5 bits a weight.
#pragma once

#include "core/half.h"
#include "formats/group.h"
#include "formats/nibbles.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace ridge {

struct Q4_1Block {
  static constexpr int kElements = 32;
  static constexpr GroupView kView{.bits = 4, .is_signed = false, .has_minimum = true};
  Half scale;
  Half minimum;
  Nibbles q;
};
static_assert(sizeof(Q4_1Block) == 20);

// One rounding a weight: scale * q is exact in float, the sum is rounded.
inline void decode(const Q4_1Block& block, std::span<float, 32> out) {
  const float scale = to_float(block.scale);
  const float minimum = to_float(block.minimum);
  for (std::size_t k = 0; k < 32; ++k) out[k] = scale * static_cast<float>(nibble(block.q, k)) + minimum;
}

// Weights are finite; a minimum beyond 65504 or a range beyond 15 * 65504 gives an infinite minimum or scale.
inline void encode(std::span<const float, 32> in, Q4_1Block& block) {
  const auto [lowest, highest] = std::minmax_element(in.begin(), in.end());
  const float minimum = *lowest;
  const float scale = (*highest - minimum) / 15.0F;
  const float inverse = scale == 0.0F ? 0.0F : 1.0F / scale;
  block.scale = to_half(scale);
  block.minimum = to_half(minimum);
  for (std::size_t k = 0; k < 32; ++k) set_nibble(block.q, k, to_nibble((in[k] - minimum) * inverse + 0.5F));
}

inline Group unpack(const Q4_1Block& block) {
  Group group{.q = {}, .scale = to_float(block.scale), .minimum = to_float(block.minimum)};
  for (std::size_t k = 0; k < 32; ++k) group.q[k] = static_cast<std::int16_t>(nibble(block.q, k));
  return group;
}

}  // namespace ridge
