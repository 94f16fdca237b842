#include "ops/kv_append/kv_append.h"

#include "core/error.h"
#include "core/half.h"
#include "device/cpu/path.h"
#include "ops/case.h"
#include "ops/kv_append/cpu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace ridge {
namespace {

std::vector<KvAppendPosition> kv_append_paths() {
  std::vector<KvAppendPosition> paths = {kv_append_position_portable};
  if (cpu_path_supported(CpuPath::avx2)) paths.push_back(kv_append_position_avx2);
  if (cpu_path_supported(CpuPath::avx512)) paths.push_back(kv_append_position_avx512);
  return paths;
}

// Ties, subnormals, overflow and NaN: where roundings to binary16 could differ.
TEST(KvAppend, PathsRoundAsTheScalarConversionDoes) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> x = {0.0F,      -0.0F,      1.0F,     1.00048828125F, 1.00146484375F, 65504.0F,
                                65519.99F, 65520.0F,   -1e30F,   infinity,       -infinity,      0x1p-24F,
                                0x1p-25F,  0x1.8p-25F, 0x1p-26F, 0x1.8p-24F,     6.09e-05F,      6.1e-05F,
                                NAN,       3.14159F,   -2.71828F};
  const auto count = static_cast<std::int64_t>(x.size());
  for (const KvAppendPosition append : kv_append_paths()) {
    std::vector<std::uint16_t> keys(x.size() * 3);
    std::vector<std::uint16_t> values(x.size() * 3);
    append({.keys = x.data(),
            .values = x.data(),
            .key_out = reinterpret_cast<std::byte*>(keys.data()),
            .value_out = reinterpret_cast<std::byte*>(values.data()),
            .heads = 1,
            .head_size = count,
            .block_size = 3,
            .f16 = true});
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_EQ(keys[3 * i], to_half(x[i]).bits) << x[i];
      EXPECT_EQ(values[i], to_half(x[i]).bits) << x[i];
    }
  }
}

TEST(KvAppend, RefusesWhatDoesNotFitTogether) {
  const auto device = Device::cpu(1, std::size_t{1} << 26);
  Memory& memory = device->memory();
  const auto layer = [&](const Shape& keys, const Shape& values) {
    return KvLayer{memory.allocate(keys, DType::f16, MemoryKind::kv),
                   memory.allocate(values, DType::f16, MemoryKind::kv)};
  };
  const KvLayer cache = layer({2, 3, 8, 4}, {2, 3, 4, 8});
  const Tensor x = random_tensor(*device, {2, 24}, 1);
  const std::vector<std::int32_t> slots = {0, 7};
  const std::vector<std::int32_t> outside = {0, 8};
  const std::vector<std::int32_t> negative = {-1, 0};
  check(KvAppendArgs{.keys = x, .values = x, .cache = &cache, .slots = slots});
  EXPECT_THROW(check(KvAppendArgs{.keys = x, .values = x, .cache = nullptr, .slots = slots}), Error);
  EXPECT_THROW(check(KvAppendArgs{.keys = x, .values = x, .cache = &cache, .slots = outside}), Error);
  EXPECT_THROW(check(KvAppendArgs{.keys = x, .values = x, .cache = &cache, .slots = negative}), Error);
  EXPECT_THROW(check(KvAppendArgs{.keys = x, .values = x.slice(0, 0, 1), .cache = &cache, .slots = slots}), Error);
  const KvLayer swapped = layer({2, 3, 8, 4}, {2, 3, 8, 4});
  EXPECT_THROW(check(KvAppendArgs{.keys = x, .values = x, .cache = &swapped, .slots = slots}), Error);
}

}  // namespace
}  // namespace ridge
