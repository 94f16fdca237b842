// Error model: storing rounds once and the reference rounds alike, so every tolerance is 0. Slots that no row names
// must keep what they held.
#include "core/error.h"
#include "core/half.h"
#include "core/rng.h"
#include "ops/case.h"
#include "ops/kv_append/kv_append.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ridge {
namespace {

struct Sizes {
  std::int64_t rows;
  std::int64_t heads;
  std::int64_t head_size;
  std::int64_t block_size;
  DType dtype;
  float scale;
  unsigned tags;
};

// All bits set: a NaN in both types, which no rounding of a finite number gives.
void fill_unwritten(const Tensor& x) {
  std::fill_n(x.data<std::uint8_t>(), x.bytes(), std::uint8_t{0xFF});
}

float element(const Tensor& x, std::int64_t i) {
  return x.dtype() == DType::f16 ? to_float(Half{x.data<std::uint16_t>()[i]}) : x.data<float>()[i];
}

class KvAppendRun final : public CaseRun {
 public:
  KvAppendRun(Device& device, const Sizes& sizes, std::uint64_t seed, double footprint_bytes) : sizes_(sizes) {
    const Shape shape{sizes.rows, sizes.heads * sizes.head_size};
    keys_ = random_tensor(device, shape, seed, sizes.scale);
    values_ = random_tensor(device, shape, seed + 1, sizes.scale);
    const std::int64_t blocks = (3 * sizes.rows / 2) / sizes.block_size + 1;
    std::vector<std::int32_t> order(static_cast<std::size_t>(blocks * sizes.block_size));
    std::iota(order.begin(), order.end(), 0);
    PhiloxStream random(seed, 1);
    if ((sizes.tags & kCalibrationCase) == 0) {  // a step of one sequence fills whole blocks in order
      for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
    }
    slots_.assign(order.begin(), order.begin() + sizes.rows);
    const Shape key_shape{blocks, sizes.heads, sizes.head_size, sizes.block_size};
    const Shape value_shape{blocks, sizes.heads, sizes.block_size, sizes.head_size};
    const double set_bytes =
        2.0 * static_cast<double>(key_shape.elements()) * static_cast<double>(dtype_bytes(sizes.dtype));
    const auto sets = std::max<std::int64_t>(1, std::llround(footprint_bytes / std::max(1.0, set_bytes)));
    for (std::int64_t set = 0; set < sets; ++set) {
      caches_.push_back({.keys = device.memory().allocate(key_shape, sizes.dtype, MemoryKind::kv),
                         .values = device.memory().allocate(value_shape, sizes.dtype, MemoryKind::kv)});
      if (device.kind() != DeviceKind::cpu) continue;
      fill_unwritten(caches_.back().keys);
      fill_unwritten(caches_.back().values);
    }
  }

  void run(const Exec& exec) override {
    last_ = next_;
    kv_append(exec, args());
    next_ = (next_ + 1) % caches_.size();
  }

  CheckReport check() override {
    const auto count = static_cast<std::size_t>(keys_.elements());
    std::vector<double> expected(2 * count);
    kv_append_reference(args(), expected.data(), expected.data() + count);
    const KvLayer& cache = caches_[last_];
    std::vector<float> got;
    for (const bool of_keys : {true, false}) {
      for (const std::int32_t slot : slots_) append_slot(slot, of_keys, got);
    }
    // One element more: how many others changed.
    const std::int64_t all = cache.keys.elements();
    std::int64_t written = 0;
    for (std::int64_t i = 0; i < all; ++i) {
      written += std::isnan(element(cache.keys, i)) ? 0 : 1;
      written += std::isnan(element(cache.values, i)) ? 0 : 1;
    }
    got.push_back(static_cast<float>(written));
    expected.push_back(static_cast<double>(2 * count));
    return compare(got, expected, std::vector<double>(got.size(), 0.0));
  }

 private:
  [[nodiscard]] KvAppendArgs args() const {
    return {.keys = keys_, .values = values_, .cache = &caches_[last_], .slots = slots_};
  }

  void append_slot(std::int32_t slot, bool of_keys, std::vector<float>& got) const {
    const std::int64_t block = slot / sizes_.block_size;
    const std::int64_t offset = slot % sizes_.block_size;
    for (std::int64_t h = 0; h < sizes_.heads; ++h) {
      const std::int64_t page = (block * sizes_.heads + h) * sizes_.head_size * sizes_.block_size;
      for (std::int64_t d = 0; d < sizes_.head_size; ++d) {
        got.push_back(of_keys ? element(caches_[last_].keys, page + d * sizes_.block_size + offset)
                              : element(caches_[last_].values, page + offset * sizes_.head_size + d));
      }
    }
  }

  Sizes sizes_;
  Tensor keys_;
  Tensor values_;
  std::vector<KvLayer> caches_;
  std::vector<std::int32_t> slots_;
  std::size_t next_ = 0;
  std::size_t last_ = 0;
};

}  // namespace

OpInfo kv_append_info() {
  OpInfo info{"kv_append", {}};
  constexpr unsigned kBoth = kTestCase | kCalibrationCase;
  for (const Sizes& sizes :
       {Sizes{1, 1, 1, 1, DType::f16, 1, kTestCase}, Sizes{0, 3, 64, 16, DType::f16, 1, kTestCase},
        Sizes{31, 2, 33, 17, DType::f16, 1, kTestCase}, Sizes{33, 3, 64, 16, DType::f32, 1, kTestCase},
        Sizes{127, 1, 80, 1, DType::f32, 1e30F, kTestCase}, Sizes{40, 5, 31, 1, DType::f16, 1e-6F, kTestCase},
        Sizes{64, 3, 64, 16, DType::f16, 1e4F, kTestCase | kBenchCase}, Sizes{1, 4, 64, 16, DType::f16, 1, kBoth},
        Sizes{8, 4, 64, 16, DType::f16, 1, kBoth}, Sizes{512, 4, 64, 16, DType::f16, 1, kBoth},
        Sizes{1, 4, 64, 16, DType::f32, 1, kBoth}, Sizes{512, 4, 64, 16, DType::f32, 1, kBoth}}) {
    info.cases.push_back({fmt::format("rows={} heads={} head={} block={} type={} scale={}", sizes.rows, sizes.heads,
                                      sizes.head_size, sizes.block_size, dtype_name(sizes.dtype), sizes.scale),
                          sizes.tags, [sizes](Device& device, std::uint64_t seed, double footprint_bytes) {
                            return std::make_unique<KvAppendRun>(device, sizes, seed, footprint_bytes);
                          }});
  }
  return info;
}

}  // namespace ridge
