#include "device/virtual/timeline.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ridge {
namespace {

// 100 GB/s up to 1 MB, 10 GB/s from 100 MB on.
MachineModel two_level_machine() {
  MachineModel machine;
  machine.name = "made up";
  machine.read_curve = {{1e6, 100e9}, {100e6, 10e9}};
  machine.operations_per_s = {1e12, 2e12, 4e12};
  machine.efficiencies["half"] = {{1, 1, 1e6, 0.5}};
  machine.efficiencies["above"] = {{1, 1, 1e6, 1.2}};
  return machine;
}

OpCall call_of(const char* variant, const void* key, double bytes, double i8_operations = 0) {
  OpCall call{variant, {}, {}};
  call.cost.least.read(key, bytes);
  call.cost.least[Arithmetic::i8] = i8_operations;
  call.cost.shape = {variant, 1, 1};
  return call;
}

TEST(ReuseDistance, CountsBytesSinceTheLastUse) {
  ReuseDistance reuse;
  const int a = 0;
  const int b = 0;
  EXPECT_EQ(reuse.touch({&a, 100, false}), INFINITY);
  EXPECT_EQ(reuse.touch({&a, 100, false}), 100);
  EXPECT_EQ(reuse.touch({&b, 50, true}), INFINITY);
  EXPECT_EQ(reuse.touch({nullptr, 7, true}), 7);
  EXPECT_EQ(reuse.touch({&a, 100, false}), 157);  // b, the result, and a itself
  EXPECT_EQ(reuse.touch({&b, 50, false}), 157);
}

TEST(ReuseDistance, ACycleIsItsWholeFootprint) {
  ReuseDistance reuse;
  const std::array<char, 10> keys{};
  for (int round = 0; round < 3; ++round) {
    for (const char& key : keys) {
      EXPECT_EQ(reuse.touch({&key, 1000, false}), round == 0 ? INFINITY : 10000);
    }
  }
}

TEST(Timeline, ChargesTheLargestResource) {
  const MachineModel machine = two_level_machine();
  Timeline timeline(machine);
  const int key = 0;
  const Charge first = timeline.charge(call_of("half", &key, 1e6, 4e9));
  EXPECT_DOUBLE_EQ(first.least.memory_s, 1e6 / 10e9);  // a first use comes from memory
  EXPECT_DOUBLE_EQ(first.least.arithmetic_s[2], 1e-3);
  EXPECT_DOUBLE_EQ(first.expected_s, 2e-3);
  EXPECT_STREQ(first.least.limiter(), "i8");
  const Charge second = timeline.charge(call_of("half", &key, 1e6));
  EXPECT_DOUBLE_EQ(second.least.memory_s, 1e6 / 100e9);
  EXPECT_DOUBLE_EQ(second.expected_s, 2e-5);
  EXPECT_STREQ(second.least.limiter(), "memory");
  EXPECT_DOUBLE_EQ(timeline.now(), 2e-3 + 2e-5);
}

TEST(Timeline, BoundOfAProgramSumsByResource) {
  const MachineModel machine = two_level_machine();
  Timeline timeline(machine);
  const int key = 0;
  timeline.charge(call_of("half", &key, 1e6));          // 100 us of memory
  timeline.charge(call_of("half", nullptr, 0, 240e6));  // 60 us of arithmetic
  timeline.charge(call_of("half", nullptr, 0, 240e6));  // 60 us of arithmetic
  const ResourceTime least = timeline.take_least();
  EXPECT_DOUBLE_EQ(least.bound_s(), 120e-6);  // not the sum of the operators' bounds, which is 220 us
  EXPECT_STREQ(least.limiter(), "i8");
  EXPECT_EQ(timeline.take_least().bound_s(), 0);
}

TEST(Timeline, ExpectedIsNeverBelowTheBound) {
  MachineModel machine = two_level_machine();
  machine.now = {2, 2};  // nonsense that would make it faster than its ceilings
  Timeline timeline(machine);
  for (const char* variant : {"half", "above", "unknown"}) {
    const Charge charge = timeline.charge(call_of(variant, nullptr, 1e6, 1e6));
    EXPECT_GE(charge.expected_s, charge.least.bound_s()) << variant;
  }
}

TEST(Timeline, MissingEfficiencyIsSaidOnce) {
  const MachineModel machine = two_level_machine();
  Timeline timeline(machine);
  EXPECT_TRUE(timeline.charge(call_of("half", nullptr, 1e3)).calibrated);
  EXPECT_FALSE(timeline.charge(call_of("unknown", nullptr, 1e3)).calibrated);
  timeline.charge(call_of("unknown", nullptr, 1e3));
  EXPECT_EQ(timeline.uncalibrated(), std::vector<std::string>{"unknown"});
}

TEST(Timeline, HostWorkMovesTheClockAndNotTheBound) {
  const MachineModel machine = two_level_machine();
  Timeline timeline(machine);
  timeline.host(1.5);
  EXPECT_EQ(timeline.now(), 1.5);
  EXPECT_EQ(timeline.take_least().bound_s(), 0);
  timeline.charge(call_of("half", nullptr, 1e6));
  EXPECT_GT(timeline.now(), 1.5);
}

TEST(Timeline, WeighingMovesNoClock) {
  const MachineModel machine = two_level_machine();
  Timeline timeline(machine);
  EXPECT_GT(timeline.weigh(call_of("half", nullptr, 1e6)).expected_s, 0);
  EXPECT_EQ(timeline.now(), 0);
  EXPECT_EQ(timeline.take_least().bound_s(), 0);
}

TEST(Timeline, ASlowerMomentSlowsTheExpectedTimeOnly) {
  MachineModel machine = two_level_machine();
  machine.now = {0.5, 0.25};
  Timeline timeline(machine);
  const int key = 0;
  const Charge memory = timeline.charge(call_of("half", &key, 1e6));
  EXPECT_DOUBLE_EQ(memory.least.bound_s(), 1e-4);
  EXPECT_DOUBLE_EQ(memory.expected_s, 4e-4);
  const Charge arithmetic = timeline.charge(call_of("half", nullptr, 0, 4e9));
  EXPECT_DOUBLE_EQ(arithmetic.least.bound_s(), 1e-3);
  EXPECT_DOUBLE_EQ(arithmetic.expected_s, 8e-3);
}

}  // namespace
}  // namespace ridge
