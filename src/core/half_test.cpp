#include "core/half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ridge {
namespace {

std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
Half half_of(std::uint32_t bits) {
  return Half{static_cast<std::uint16_t>(bits)};
}

// The definition, in double: (-1)^s * 2^(e - 15) * 1.m, or 2^-14 * 0.m for subnormals.
double value_by_definition(std::uint32_t bits) {
  const int exponent = static_cast<int>((bits >> 10) & 31U);
  const int mantissa = static_cast<int>(bits & 0x3ffU);
  const double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

bool is_finite_half(std::uint32_t bits) {
  return (bits & 0x7c00U) != 0x7c00U;
}

TEST(Half, EveryFiniteHalfHasTheValueOfItsDefinition) {
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    if (!is_finite_half(bits)) continue;
    ASSERT_EQ(bits_of(to_float(half_of(bits))), bits_of(static_cast<float>(value_by_definition(bits)))) << bits;
  }
}

TEST(Half, EveryHalfReturnsFromFloat) {
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    const bool is_nan = (bits & 0x7fffU) > 0x7c00U;
    ASSERT_EQ(to_half(to_float(half_of(bits))).bits, is_nan ? bits | 0x200U : bits) << bits;
  }
}

TEST(Half, InfinitiesAndNans) {
  EXPECT_EQ(bits_of(to_float(half_of(0x7c00))), 0x7f800000U);
  EXPECT_EQ(bits_of(to_float(half_of(0xfc00))), 0xff800000U);
  EXPECT_EQ(bits_of(to_float(half_of(0x7c01))), 0x7fc02000U);  // signalling becomes quiet, the payload stays
  EXPECT_EQ(to_half(std::numeric_limits<float>::infinity()).bits, 0x7c00U);
  EXPECT_EQ(to_half(std::bit_cast<float>(0x7f800001U)).bits, 0x7e00U);  // a payload below the kept bits stays a NaN
  EXPECT_EQ(to_half(std::bit_cast<float>(0xffffffffU)).bits, 0xffffU);
}

// Between every two neighbouring halfs: the midpoint goes to the even one, its float neighbours to the nearer one.
TEST(Half, RoundsToNearestTiesToEven) {
  for (std::uint32_t low = 0; low < 0x7bffU; ++low) {
    const std::uint32_t high = low + 1;
    const auto middle = static_cast<float>((value_by_definition(low) + value_by_definition(high)) / 2);
    ASSERT_EQ(to_half(middle).bits, low % 2 == 0 ? low : high) << low;
    ASSERT_EQ(to_half(std::nextafter(middle, 0.0F)).bits, low) << low;
    ASSERT_EQ(to_half(std::nextafter(middle, 1e9F)).bits, high) << low;
    ASSERT_EQ(to_half(-middle).bits, 0x8000U | (low % 2 == 0 ? low : high)) << low;
  }
}

TEST(Half, Overflow) {
  EXPECT_EQ(to_half(65504.0F).bits, 0x7bffU);
  EXPECT_EQ(to_half(std::nextafter(65520.0F, 0.0F)).bits, 0x7bffU);
  EXPECT_EQ(to_half(65520.0F).bits, 0x7c00U);
  EXPECT_EQ(to_half(-std::numeric_limits<float>::max()).bits, 0xfc00U);
  EXPECT_EQ(to_half(std::numeric_limits<float>::denorm_min()).bits, 0U);
}

TEST(Half, WorksAtCompileTime) {
  static_assert(to_float(Half{0x3c00}) == 1.0F);
  static_assert(to_half(1.0F / 3.0F).bits == 0x3555);
  static_assert(to_half(0x1p-24F).bits == 1);
  static_assert(to_bfloat16(1.0F).bits == 0x3f80);
}

TEST(Bfloat16, EveryBfloat16ReturnsFromFloat) {
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    const bool is_nan = (bits & 0x7fffU) > 0x7f80U;
    const Bfloat16 bfloat{static_cast<std::uint16_t>(bits)};
    ASSERT_EQ(bits_of(to_float(bfloat)), bits << 16);
    ASSERT_EQ(to_bfloat16(to_float(bfloat)).bits, is_nan ? bits | 0x40U : bits) << bits;
  }
}

TEST(Bfloat16, RoundsToNearestTiesToEven) {
  for (std::uint32_t low = 0; low < 0x7f80U; ++low) {
    const std::uint32_t middle = (low << 16) | 0x8000U;
    ASSERT_EQ(to_bfloat16(std::bit_cast<float>(middle)).bits, low % 2 == 0 ? low : low + 1);
    ASSERT_EQ(to_bfloat16(std::bit_cast<float>(middle - 1)).bits, low);
    ASSERT_EQ(to_bfloat16(std::bit_cast<float>(middle + 1)).bits, low + 1);  // the largest finite goes to infinity
  }
}

}  // namespace
}  // namespace ridge
