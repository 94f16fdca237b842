#include "ops/silu_mul/silu_mul.h"

#include "core/rng.h"
#include "device/cpu/path.h"
#include "ops/case.h"
#include "ops/silu_mul/cpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace ridge {
namespace {

std::vector<SiluMulRun> silu_mul_paths() {
  std::vector<SiluMulRun> paths = {silu_mul_run_portable};
  if (cpu_path_supported(CpuPath::avx2)) paths.push_back(silu_mul_run_avx2);
  if (cpu_path_supported(CpuPath::avx512)) paths.push_back(silu_mul_run_avx512);
  return paths;
}

// Floats spread evenly over all bit patterns, and those where the exponential changes its ways.
std::vector<float> gates() {
  std::vector<float> gates;
  for (std::uint64_t bits = 0; bits <= 0xFFFFFFFFU; bits += 9973) {
    gates.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  for (const float edge : {0.0F, 87.33654F, 88.37626F, 88.72284F, 0.34657359F, 1.03972077F, 126.0F}) {
    for (const float sign : {1.0F, -1.0F}) {
      float down = edge * sign;
      float up = down;
      for (int i = 0; i < 40; ++i) {
        gates.push_back(down = std::nextafterf(down, -std::numeric_limits<float>::infinity()));
        gates.push_back(up = std::nextafterf(up, std::numeric_limits<float>::infinity()));
      }
    }
  }
  for (float x = -90; x < 90; x += 1.0F / 1024) gates.push_back(x);
  return gates;
}

TEST(SiluMul, PathsAgreeBitwiseOnEveryKindOfFloat) {
  const std::vector<float> gate = gates();
  const std::vector<float> up(gate.size(), 1.0F);
  const auto count = static_cast<std::int64_t>(gate.size());
  std::vector<float> expected(gate.size());
  silu_mul_run_portable(gate.data(), up.data(), count, expected.data());
  for (const SiluMulRun run : silu_mul_paths()) {
    std::vector<float> y(gate.size(), -1.0F);
    run(gate.data(), up.data(), count, y.data());
    for (std::size_t i = 0; i < gate.size(); ++i) {
      const bool equal = std::bit_cast<std::uint32_t>(y[i]) == std::bit_cast<std::uint32_t>(expected[i]);
      ASSERT_TRUE(equal || (std::isnan(y[i]) && std::isnan(expected[i])))
          << gate[i] << ": " << y[i] << " " << expected[i];
    }
  }
}

// silu is x / (1 + e^-x); far below zero it is nearly x e^x, so the error of the exponential shows there undiluted.
TEST(SiluMul, ExponentialKeepsItsErrorBoundOverItsRange) {
  double worst = 0;
  for (float x = -87.0F; x < 80; x += 1.0F / 4096) {
    const float up = 1;
    float y = 0;
    choose_path(silu_mul_run_portable, silu_mul_run_avx2, silu_mul_run_avx512)(&x, &up, 1, &y);
    const double exact = x / (1 + std::exp(-static_cast<double>(x)));
    if (x != 0) worst = std::max(worst, std::fabs(y - exact) / std::fabs(exact));
  }
  EXPECT_LE(worst, 4.5 * 0x1p-24);
}

TEST(SiluMul, NanStaysNanAndInfinityHasItsLimits) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const SiluMulRun run : silu_mul_paths()) {
    const float gate[4] = {std::numeric_limits<float>::quiet_NaN(), infinity, 200, -1e30F};
    const float up[4] = {1, 1, 1, 1};
    float y[4] = {};
    run(gate, up, 4, y);
    EXPECT_TRUE(std::isnan(y[0]));
    EXPECT_EQ(y[1], infinity);
    EXPECT_EQ(y[2], 200);
    EXPECT_LE(std::fabs(y[3]), 1e30 * 0x1p-127);
  }
}

TEST(SiluMul, WritesOverAGateThatNobodyElseHoldsAndOnlyThen) {
  const auto device = Device::cpu(2, std::size_t{1} << 26);
  const Exec exec(*device);
  const Tensor up = random_tensor(*device, {3, 700}, 1);
  SiluMulArgs args{.gate = random_tensor(*device, {3, 700}, 2), .up = up};
  const Tensor held = args.gate;
  const Tensor fresh = silu_mul(exec, args);
  EXPECT_NE(fresh.data<float>(), held.data<float>());
  const Tensor reused = silu_mul(exec, {.gate = random_tensor(*device, {3, 700}, 2), .up = up});
  EXPECT_TRUE(std::equal(fresh.data<float>(), fresh.data<float>() + fresh.elements(), reused.data<float>()));
  const MemoryUse use = device->memory().total();
  args = {.gate = random_tensor(*device, {3, 700}, 2), .up = up};
  const float* storage = args.gate.data<float>();
  EXPECT_EQ(silu_mul(exec, args).data<float>(), storage);
  EXPECT_GE(device->memory().total().live_bytes, use.live_bytes);
}

}  // namespace
}  // namespace ridge
