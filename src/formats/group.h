// What integer kernels see of a quantised format: groups of 32 weights as integers with a scale and a minimum.
#pragma once

#include <array>
#include <cstdint>

namespace ridge {

inline constexpr int kGroupElements = 32;

// How the integers of a format's groups look.
struct GroupView {
  int bits;          // of q: 4 or 8
  bool is_signed;    // q is -2^(bits - 1) .. 2^(bits - 1) - 1, else 0 .. 2^bits - 1
  bool has_minimum;  // whether `minimum` can be anything but zero
};

// One group: w[k] = scale * q[k] + minimum, to be computed as fma(scale, q, minimum). The result equals the format's
// decode for every finite scale and minimum (a zero may differ in sign): scale * q is exact in float.
struct Group {
  std::array<std::int16_t, kGroupElements> q;
  float scale;
  float minimum;
};

}  // namespace ridge
