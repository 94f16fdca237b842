// Q4_0: 32 weights as w = scale * (q - 8), q of 4 bits; 4.5 bits a weight.
#pragma once

#include "core/half.h"
#include "formats/group.h"
#include "formats/nibbles.h"

#include <cmath>
#include <cstddef>
#include <span>

namespace ridge {

struct Q4_0Block {
  static constexpr int kElements = 32;
  static constexpr GroupView kView{.bits = 4, .is_signed = false, .has_minimum = true};
  Half scale;
  Nibbles q;
};
static_assert(sizeof(Q4_0Block) == 18);

inline void decode(const Q4_0Block& block, std::span<float, 32> out) {
  const float scale = to_float(block.scale);
  for (std::size_t k = 0; k < 32; ++k) out[k] = scale * static_cast<float>(nibble(block.q, k) - 8);
}

// The weight of largest magnitude becomes q = 0, whatever its sign: -8 has no positive counterpart. Weights are finite;
// a magnitude beyond 8 * 65504 gives an infinite scale.
inline void encode(std::span<const float, 32> in, Q4_0Block& block) {
  float largest = in[0];
  for (const float weight : in) largest = std::abs(weight) > std::abs(largest) ? weight : largest;
  const float scale = largest / -8.0F;
  const float inverse = scale == 0.0F ? 0.0F : 1.0F / scale;
  block.scale = to_half(scale);
  for (std::size_t k = 0; k < 32; ++k) set_nibble(block.q, k, to_nibble(in[k] * inverse + 8.5F));
}

// minimum = -8 * scale, exact in float.
inline Group unpack(const Q4_0Block& block) {
  Group group{.q = {}, .scale = to_float(block.scale), .minimum = -8.0F * to_float(block.scale)};
  for (std::size_t k = 0; k < 32; ++k) group.q[k] = static_cast<std::int16_t>(nibble(block.q, k));
  return group;
}

}  // namespace ridge
