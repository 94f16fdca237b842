// Q8_0: 32 weights as w = scale * q, q of 8 bits with a sign; 8.5 bits a weight.
#pragma once

#include "core/half.h"
#include "formats/group.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ridge {

struct Q8_0Block {
  static constexpr int kElements = 32;
  static constexpr GroupView kView{.bits = 8, .is_signed = true, .has_minimum = false};
  Half scale;
  std::array<std::int8_t, 32> q;
};
static_assert(sizeof(Q8_0Block) == 34);

inline void decode(const Q8_0Block& block, std::span<float, 32> out) {
  const float scale = to_float(block.scale);
  for (std::size_t k = 0; k < 32; ++k) out[k] = static_cast<float>(block.q[k]) * scale;
}

// Rounds to nearest, ties away from zero, clipped to a signed byte; a NaN gives 0.
inline std::int8_t to_signed_byte(float value) {
  const float rounded = std::round(value);
  return static_cast<std::int8_t>(std::isnan(rounded) ? 0.0F : std::clamp(rounded, -128.0F, 127.0F));
}

// The largest magnitude becomes 127 or -127; -128 occurs only in files written otherwise. Weights are finite; a
// magnitude beyond 127 * 65504 gives an infinite scale.
inline void encode(std::span<const float, 32> in, Q8_0Block& block) {
  float largest = 0.0F;
  for (const float weight : in) largest = std::max(largest, std::abs(weight));
  const float scale = largest / 127.0F;
  const float inverse = scale == 0.0F ? 0.0F : 1.0F / scale;
  block.scale = to_half(scale);
  for (std::size_t k = 0; k < 32; ++k) block.q[k] = to_signed_byte(in[k] * inverse);
}

inline Group unpack(const Q8_0Block& block) {
  Group group{.q = {}, .scale = to_float(block.scale), .minimum = 0.0F};
  std::copy(block.q.begin(), block.q.end(), group.q.begin());
  return group;
}

}  // namespace ridge
