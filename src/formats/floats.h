// F32, F16, BF16: unquantised weights, as blocks of one element.
#pragma once

#include "core/half.h"

#include <span>

namespace ridge {

struct F32Block {
  static constexpr int kElements = 1;
  float value;
};
static_assert(sizeof(F32Block) == 4);

struct F16Block {
  static constexpr int kElements = 1;
  Half value;
};
static_assert(sizeof(F16Block) == 2);

struct Bf16Block {
  static constexpr int kElements = 1;
  Bfloat16 value;
};
static_assert(sizeof(Bf16Block) == 2);

inline void decode(const F32Block& block, std::span<float, 1> out) {
  out[0] = block.value;
}
inline void decode(const F16Block& block, std::span<float, 1> out) {
  out[0] = to_float(block.value);
}
inline void decode(const Bf16Block& block, std::span<float, 1> out) {
  out[0] = to_float(block.value);
}

// Rounds to nearest, ties to even.
inline void encode(std::span<const float, 1> in, F32Block& block) {
  block.value = in[0];
}
inline void encode(std::span<const float, 1> in, F16Block& block) {
  block.value = to_half(in[0]);
}
inline void encode(std::span<const float, 1> in, Bf16Block& block) {
  block.value = to_bfloat16(in[0]);
}

}  // namespace ridge
