#include "ops/rope/rope.h"

#include "core/error.h"
#include "device/cpu/path.h"
#include "ops/case.h"
#include "ops/rope/cpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ridge {
namespace {

TEST(Rope, PathsAgreeBitwiseInPlaceAndApart) {
  std::vector<RopeRowFunction> paths = {rope_row_portable};
  if (cpu_path_supported(CpuPath::avx2)) paths.push_back(rope_row_avx2);
  if (cpu_path_supported(CpuPath::avx512)) paths.push_back(rope_row_avx512);
  const auto device = Device::cpu(1, std::size_t{1} << 26);
  constexpr std::int64_t kHeads = 3;
  for (const std::int64_t head_size : {2, 33, 64, 80, 128}) {
    for (const RopePairs pairs : {RopePairs::neighbours, RopePairs::halves}) {
      const std::int64_t turned = head_size / 2;
      const Tensor x = random_tensor(*device, {kHeads * head_size}, 1);
      const Tensor table = random_tensor(*device, {2 * turned}, 2);
      std::vector<float> expected(static_cast<std::size_t>(x.elements()));
      RopeRow row{x.data<float>(), table.data<float>(), expected.data(), kHeads, head_size, turned, pairs};
      rope_row_portable(row);
      for (const RopeRowFunction turn : paths) {
        std::vector<float> apart(expected.size());
        row.x = x.data<float>();
        row.y = apart.data();
        turn(row);
        EXPECT_EQ(apart, expected) << head_size;
        std::vector<float> in_place(x.data<float>(), x.data<float>() + x.elements());
        row.x = row.y = in_place.data();
        turn(row);
        EXPECT_EQ(in_place, expected) << head_size;
      }
    }
  }
}

TEST(Rope, WritesOverAnInputThatNobodyElseHoldsAndOnlyThen) {
  const auto device = Device::cpu(2, std::size_t{1} << 26);
  const Exec exec(*device);
  const std::vector<std::int32_t> positions = {0, 7};
  const std::vector<float> frequencies = {1.0F, 0.01F};
  const Tensor table = rope_table(exec, {.positions = positions, .frequencies = frequencies});
  RopeArgs args{.x = random_tensor(*device, {2, 8}, 3), .table = table, .head_size = 4};
  const float* storage = args.x.data<float>();
  {
    const Tensor held = args.x;
    EXPECT_NE(rope(exec, args).data<float>(), storage);
  }
  const Tensor y = rope(exec, args);
  EXPECT_EQ(y.data<float>(), storage);
}

TEST(RopeTable, PositionZeroTurnsNothing) {
  const auto device = Device::cpu(1, std::size_t{1} << 26);
  const std::vector<std::int32_t> positions = {0};
  const std::vector<float> frequencies = {1.0F, 0.5F};
  const Tensor table = rope_table(Exec(*device), {.positions = positions, .frequencies = frequencies});
  const float* row = table.data<float>();
  EXPECT_EQ(std::vector<float>(row, row + 4), (std::vector<float>{1, 1, 0, 0}));
}

TEST(Rope, RefusesWhatDoesNotFitTogether) {
  const auto device = Device::cpu(1, std::size_t{1} << 26);
  const Tensor x = random_tensor(*device, {2, 8}, 3);
  const Tensor table = random_tensor(*device, {2, 4}, 4);
  check(RopeArgs{.x = x, .table = table, .head_size = 4});
  EXPECT_THROW(check(RopeArgs{.x = x, .table = table, .head_size = 0}), Error);
  EXPECT_THROW(check(RopeArgs{.x = x, .table = table, .head_size = 3}), Error);
  EXPECT_THROW(check(RopeArgs{.x = x, .table = table, .head_size = 2}), Error);
  EXPECT_THROW(check(RopeArgs{.x = x, .table = random_tensor(*device, {3, 4}, 4), .head_size = 4}), Error);
  EXPECT_THROW(check(RopeArgs{.x = x, .table = random_tensor(*device, {2, 3}, 4), .head_size = 4}), Error);
  const std::vector<std::int32_t> positions = {-1};
  EXPECT_THROW(check(RopeTableArgs{.positions = positions, .frequencies = {}}), Error);
}

}  // namespace
}  // namespace ridge
