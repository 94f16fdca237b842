// Error model: a copy is exact, so every tolerance is 0.
#include "core/error.h"
#include "core/rng.h"
#include "ops/case.h"
#include "ops/gather_rows/gather_rows.h"

#include <algorithm>
#include <cmath>

namespace ridge {
namespace {

struct Sizes {
  std::int64_t rows;  // T
  std::int64_t channels;
  std::int64_t wanted;  // R
  unsigned tags;
};

class GatherRowsRun final : public CaseRun {
 public:
  GatherRowsRun(Device& device, const Sizes& sizes, std::uint64_t seed, double footprint_bytes) {
    const double set_bytes = 4.0 * static_cast<double>(sizes.rows * sizes.channels);
    const auto sets = std::max<std::int64_t>(1, std::llround(footprint_bytes / std::max(1.0, set_bytes)));
    for (std::int64_t set = 0; set < sets; ++set) {
      x_.push_back(random_tensor(device, {sizes.rows, sizes.channels}, seed + static_cast<std::uint64_t>(set)));
    }
    PhiloxStream random(seed, 1);
    for (std::int64_t i = 0; i < sizes.wanted; ++i) {
      rows_.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(sizes.rows))));
    }
  }

  void run(const Exec& exec) override {
    last_ = next_;
    y_ = gather_rows(exec, {.x = x_[last_], .rows = rows_});
    next_ = (next_ + 1) % x_.size();
  }

  CheckReport check() override {
    const auto count = static_cast<std::size_t>(y_.elements());
    std::vector<double> expected(count);
    gather_rows_reference({.x = x_[last_], .rows = rows_}, expected.data());
    return compare({y_.data<float>(), count}, expected, std::vector<double>(count, 0.0));
  }

  [[nodiscard]] Tensor output() const override { return y_; }

 private:
  std::vector<Tensor> x_;
  std::vector<std::int32_t> rows_;
  std::size_t next_ = 0;
  std::size_t last_ = 0;
  Tensor y_;
};

}  // namespace

OpInfo gather_rows_info() {
  OpInfo info{"gather_rows", {}};
  for (const Sizes& sizes : {Sizes{1, 1, 1, kTestCase}, Sizes{7, 33, 0, kTestCase}, Sizes{31, 33, 40, kTestCase},
                             Sizes{127, 31, 5, kTestCase}, Sizes{64, 576, 8, kTestCase | kBenchCase},
                             Sizes{8, 768, 8, kTestCase | kCalibrationCase}, Sizes{512, 768, 1, kCalibrationCase},
                             Sizes{512, 768, 512, kTestCase | kCalibrationCase}}) {
    info.cases.push_back({fmt::format("rows={} channels={} wanted={}", sizes.rows, sizes.channels, sizes.wanted),
                          sizes.tags, [sizes](Device& device, std::uint64_t seed, double footprint_bytes) {
                            return std::make_unique<GatherRowsRun>(device, sizes, seed, footprint_bytes);
                          }});
  }
  return info;
}

}  // namespace ridge
