// IEEE 754 binary16 and bfloat16 as storage: scalar conversions to and from float. Arithmetic is done in float.
#pragma once

#include <bit>
#include <cstdint>

namespace ridge {

// binary16: 1 sign, 5 exponent and 10 mantissa bits.
struct Half {
  std::uint16_t bits;
};

// The upper half of a binary32: 1 sign, 8 exponent and 7 mantissa bits.
struct Bfloat16 {
  std::uint16_t bits;
};

// Exact. A NaN keeps its sign and payload and becomes quiet, as with the CPU's own conversion.
constexpr float to_float(Half half) {
  const std::uint32_t sign = (half.bits & 0x8000U) << 16;
  const std::uint32_t exponent = (half.bits >> 10) & 31U;
  const std::uint32_t mantissa = half.bits & 0x3ffU;
  const std::uint32_t quiet = mantissa != 0 ? 0x400000U : 0U;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000U | quiet | (mantissa << 13));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;  // subnormal or zero
  return sign != 0 ? -magnitude : magnitude;
}

constexpr float to_float(Bfloat16 bfloat) {
  return std::bit_cast<float>(std::uint32_t{bfloat.bits} << 16);
}

constexpr float to_float(float value) {
  return value;
}

// The half nearest a float below 65520, ties to even; both as bits without their sign.
constexpr std::uint32_t nearest_half(std::uint32_t magnitude) {
  if (magnitude < 0x38800000U) {  // below 2^-14: a subnormal, whose step 2^-24 is one unit in the last place of 0.5
    const float rounded = std::bit_cast<float>(magnitude) + 0.5F;
    return std::bit_cast<std::uint32_t>(rounded) - std::bit_cast<std::uint32_t>(0.5F);
  }
  const std::uint32_t rebased = magnitude - (112U << 23);
  return (rebased + 0xfffU + ((rebased >> 13) & 1U)) >> 13;
}

// Rounds to nearest, ties to even; 65520 and above become infinite. A NaN keeps its sign and upper payload, made quiet.
constexpr Half to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t not_finite = magnitude > 0x7f800000U ? 0x7e00U | ((magnitude >> 13) & 0x3ffU) : 0x7c00U;
  const std::uint32_t half = magnitude < 0x477ff000U ? nearest_half(magnitude) : not_finite;
  return Half{static_cast<std::uint16_t>(sign | half)};
}

// Rounds to nearest, ties to even. A NaN keeps its sign and upper payload, made quiet.
constexpr Bfloat16 to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const bool is_nan = (bits & 0x7fffffffU) > 0x7f800000U;
  const std::uint32_t rounded = is_nan ? bits | 0x400000U : bits + 0x7fffU + ((bits >> 16) & 1U);
  return Bfloat16{static_cast<std::uint16_t>(rounded >> 16)};
}

}  // namespace ridge
