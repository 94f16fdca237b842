#include "ops/attention/attention.h"

#include "core/error.h"
#include "device/cpu/path.h"
#include "ops/attention/cpu.h"
#include "ops/attention/input.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ridge {
namespace {

constexpr std::uint64_t kSeed = 11;
std::vector<float> values_of(const Tensor& y) {
  return {y.data<float>(), y.data<float>() + y.elements()};
}

// y of all rows of a step; sequence 0 is the first slice.
std::vector<float> attend(const AttentionSizes& sizes, int threads) {
  const auto device = Device::cpu(threads);
  const AttentionInput input(*device, sizes, kSeed, 0, true);
  return values_of(attention(Exec(*device), input.args(0)));
}

bool equal_bits(const float* a, const float* b, std::int64_t count) {
  return std::memcmp(a, b, static_cast<std::size_t>(count) * sizeof(float)) == 0;
}

// Heads in groups of two over 300 positions, computed whole.
class AttentionInvariance : public testing::Test {
 protected:
  static constexpr std::int32_t kContext = 300;

  AttentionInvariance() : expected_(attend(base(), 1)) {}

  static AttentionSizes base() {
    return {.slices = {{kContext, kContext}}, .heads = 4, .kv_heads = 2, .head_size = 32};
  }

  // The first slice of `sizes`, against the same positions computed whole.
  void expect_same(const AttentionSizes& sizes, int threads) const {
    const std::int64_t width = sizes.heads * sizes.head_size;
    const auto [rows, context] = sizes.slices.front();
    const std::vector<float> y = attend(sizes, threads);
    EXPECT_TRUE(equal_bits(y.data(), expected_.data() + (context - rows) * width, rows * width))
        << rows << " rows of " << context << ", block size " << sizes.block_size << ", threads " << threads;
  }

 private:
  std::vector<float> expected_;
};

TEST_F(AttentionInvariance, OverBlockSizesAndTypes) {
  for (const std::int32_t block_size : {1, 16, 17, 48, 128, 512}) {
    for (const DType dtype : {DType::f16, DType::f32}) {
      AttentionSizes sizes = base();
      sizes.block_size = block_size;
      sizes.dtype = dtype;
      expect_same(sizes, 2);
      sizes.slices = {{1, kContext}};
      expect_same(sizes, 2);
    }
  }
}

TEST_F(AttentionInvariance, OverChunks) {
  for (const std::int32_t rows : {1, 2, 5, 31, 128, 129}) {
    for (const std::int32_t context : {rows, 129, 257, 300}) {
      if (context < rows) continue;
      AttentionSizes sizes = base();
      sizes.slices = {{rows, context}};
      expect_same(sizes, 1 + rows % 3);
    }
  }
}

TEST_F(AttentionInvariance, OverBatches) {
  for (const std::int32_t rows : {1, 40}) {
    AttentionSizes sizes = base();
    sizes.slices = {{rows, 290}, {1, 900}, {0, 4}, {33, 33}, {1, 1}, {2, 130}, {1, 128}, {1, 17}};
    expect_same(sizes, 3);
  }
}

TEST_F(AttentionInvariance, OverThreads) {
  for (const int threads : {1, 2, 3, 7, 16}) {
    AttentionSizes sizes = base();
    sizes.slices = {{64, 256}};
    expect_same(sizes, threads);
    sizes.slices = {{1, 299}};
    expect_same(sizes, threads);
    sizes.slices = {{8, 300}};
    expect_same(sizes, threads);
  }
}

// What the pool's threads do with an item is the path's functions' work alone, so these are compared here.
TEST(Attention, PathsAgreeBitwise) {
  std::vector<AttentionPath> paths;
  if (cpu_path_supported(CpuPath::avx2)) paths.push_back(kAttentionAvx2);
  if (cpu_path_supported(CpuPath::avx512)) paths.push_back(kAttentionAvx512);
  const AttentionSizes mixed{.slices = {{1, 700}, {37, 300}, {1, 128}}, .heads = 5, .head_size = 80, .block_size = 17};
  const AttentionSizes decode{.slices = {{1, 700}}, .heads = 8, .kv_heads = 2, .head_size = 64, .q_scale = 30};
  for (const AttentionSizes& sizes : {mixed, decode}) {
    const auto device = Device::cpu(3);
    const AttentionInput input(*device, sizes, kSeed, 0, true);
    const AttentionArgs args = input.args(0);
    const AttentionPlan plan = plan_attention(args, 3);
    const auto run = [&](const AttentionPath& path) {
      Memory& memory = device->memory();
      const AttentionMemory parts{memory.allocate({3, plan.scratch_floats}, DType::f32, MemoryKind::workspace),
                                  memory.allocate({plan.split_floats}, DType::f32, MemoryKind::workspace),
                                  memory.allocate(args.q.shape(), DType::f32, MemoryKind::activations)};
      attention_cpu(device->pool(), path, args, plan, parts);
      return values_of(parts.y);
    };
    const std::vector<float> expected = run(kAttentionPortable);
    for (const AttentionPath& path : paths) {
      EXPECT_TRUE(equal_bits(run(path).data(), expected.data(), args.q.elements()));
    }
  }
}

// A row must not even multiply what it does not see by zero.
TEST(Attention, InfiniteValuesOfLaterPositionsDoNotReachEarlierRows) {
  const AttentionSizes sizes{.slices = {{20, 140}}, .heads = 3, .head_size = 32};
  const auto device = Device::cpu(2);
  const AttentionInput input(*device, sizes, kSeed, 0, false);
  const AttentionArgs args = input.args(0);
  const Tensor before = attention(Exec(*device), args);
  constexpr std::int64_t kPosition = 133;
  auto* value = args.cache->values.data<std::uint16_t>() + kPosition * sizes.head_size;
  std::fill_n(value, sizes.head_size, std::uint16_t{0x7C00});
  const Tensor after = attention(Exec(*device), args);
  const std::int64_t earlier = (kPosition - 120) * sizes.heads * sizes.head_size;
  EXPECT_TRUE(equal_bits(before.data<float>(), after.data<float>(), earlier));
  for (std::int64_t i = earlier; i < after.elements(); ++i) EXPECT_TRUE(std::isinf(after.data<float>()[i]));
}

TEST(Attention, SplitsOnlyFewDecodeRowsAndCountsTheirMemory) {
  const auto device = Device::cpu(1);
  const AttentionSizes decode{.slices = {{1, 2048}}, .heads = 9, .kv_heads = 3, .head_size = 64};
  const AttentionInput one(*device, decode, kSeed, 0, false);
  EXPECT_EQ(plan_attention(one.args(0), 1).split_floats, 0);
  const AttentionPlan split = plan_attention(one.args(0), 4);
  EXPECT_GE(split.items, 4);
  EXPECT_EQ(split.split_floats, 3 * 16 * split.span_floats);
  AttentionSizes prefill = decode;
  prefill.slices = {{512, 2048}};
  const AttentionInput many(*device, prefill, kSeed, 0, false);
  EXPECT_EQ(plan_attention(many.args(0), 4).split_floats, 0);
}

TEST(Attention, RefusesWhatDoesNotFitTogether) {
  const auto device = Device::cpu(1);
  const AttentionInput input(*device, {.slices = {{2, 20}, {3, 40}}, .heads = 4, .kv_heads = 2, .head_size = 8}, kSeed,
                             0, false);
  const auto refuses = [&](auto&& change) {
    AttentionArgs args = input.args(0);
    std::vector<SequenceSlice> slices(args.view.slices.begin(), args.view.slices.end());
    std::vector<std::int32_t> table(args.view.block_table.begin(), args.view.block_table.end());
    change(args, slices, table);
    args.view.slices = slices;
    args.view.block_table = table;
    EXPECT_THROW(check(args), Error);
  };
  check(input.args(0));
  refuses([](auto& args, auto&, auto&) { args.heads = 3; });
  refuses([](auto& args, auto&, auto&) { args.heads = 0; });
  refuses([](auto& args, auto&, auto&) { args.cache = nullptr; });
  refuses([](auto& args, auto&, auto&) { args.view.block_size = 8; });
  refuses([](auto&, auto& slices, auto&) { slices[1].first_row = 3; });
  refuses([](auto&, auto& slices, auto&) { slices[1].rows = 2; });
  refuses([](auto&, auto& slices, auto&) { slices[0].context = 1; });
  refuses([](auto&, auto& slices, auto&) { slices[1].context = 49; });
  refuses([](auto&, auto& slices, auto&) { slices[1].context = 2147483647; });
  refuses([](auto&, auto& slices, auto&) { slices[1].first_block = -1; });
  refuses([](auto&, auto&, auto& table) { table.back() = 5; });
  refuses([](auto&, auto&, auto& table) { table.front() = -1; });
}

}  // namespace
}  // namespace ridge
