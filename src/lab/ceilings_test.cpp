#include "lab/ceilings.h"

#include "lab/rates.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(Ceilings, EarlierPointsRiseToLaterOnes) {
  std::vector<BandwidthPoint> curve = {{1, 5}, {2, 9}, {4, 3}, {8, 4}};
  raise_to_later(curve);
  EXPECT_EQ(curve[0].bytes_per_s, 9);
  EXPECT_EQ(curve[1].bytes_per_s, 9);
  EXPECT_EQ(curve[2].bytes_per_s, 4);
  EXPECT_EQ(curve[3].bytes_per_s, 4);
}

TEST(Ceilings, SmokeOfARealMeasurement) {
  const auto device = Device::cpu(2, std::size_t{1} << 30);
  MachineModel machine;
  double last = -1;
  measure_ceilings(machine, *device, {.budget_s = 0.05, .largest_footprint = 8 << 20, .progress = [&](double fraction) {
                                        EXPECT_GE(fraction, 0);
                                        EXPECT_LE(fraction, 1);
                                        last = fraction;
                                      }});
  EXPECT_GT(last, 0);
  for (const auto* curve :
       {&machine.read_curve, &machine.copy_curve, &machine.single_read_curve, &machine.single_copy_curve}) {
    ASSERT_GE(curve->size(), 8U);
    for (std::size_t i = 1; i < curve->size(); ++i) {
      EXPECT_GT((*curve)[i].footprint_bytes, (*curve)[i - 1].footprint_bytes);
      EXPECT_LE((*curve)[i].bytes_per_s, (*curve)[i - 1].bytes_per_s);
      EXPECT_GT((*curve)[i].bytes_per_s, 1e6);
      EXPECT_LT((*curve)[i].bytes_per_s, 1e15);
    }
  }
  for (const double ceiling : machine.operations_per_s) EXPECT_GT(ceiling, 1e6);
  EXPECT_GT(machine.fork_join_s, 0);
  EXPECT_LT(machine.fork_join_s, 1);
}

// A loop that the compiler emptied would be too fast to be true.
TEST(Loops, NoLoopIsFasterThanItsInstructions) {
  const auto device = Device::cpu(1, std::size_t{1} << 30);
  for (const Peak& peak : peak_loops()) {
    const bool tiles = std::string_view(peak.name).find("amx") != std::string_view::npos;
    EXPECT_LT(sample_peak(device->pool(), peak.run, 1e-3), tiles ? 3e13 : 2e12) << peak.name;
  }
  const Tensor memory = make_loop_memory(*device, 1 << 20);
  EXPECT_LT(sample_read_rate(device->pool(), memory, 16384, 1e-3), 2e12);
  EXPECT_LT(sample_copy_rate(device->pool(), memory, 16384, 1e-3), 2e12);
}

TEST(Loops, EveryCopyLoopCopiesAllOfItsPart) {
  const auto device = Device::cpu(1, std::size_t{1} << 30);
  const Tensor memory = make_loop_memory(*device, 4 * kLoopBytes);
  auto* bytes = memory.data<std::uint8_t>();
  for (const CopyLoop copy : copy_loops()) {
    for (std::size_t i = 0; i < kLoopBytes; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + 3);
    for (std::size_t i = kLoopBytes; i < 3 * kLoopBytes; ++i) bytes[i] = 0;
    copy(memory.data<std::byte>() + kLoopBytes, memory.data<std::byte>(), kLoopBytes, 2);
    for (std::size_t i = 0; i < kLoopBytes; ++i) ASSERT_EQ(bytes[kLoopBytes + i], bytes[i]) << i;
    for (std::size_t i = 2 * kLoopBytes; i < 3 * kLoopBytes; ++i) ASSERT_EQ(bytes[i], 0) << i;
  }
}

}  // namespace
}  // namespace ridge
