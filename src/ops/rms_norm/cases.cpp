// Error model: the sum of C squares in 16 lanes has a relative error below (C / 16 + 6) u, halved by the root;
// division, root and two products add 4 u (u = 2^-24).
#include "core/error.h"
#include "ops/case.h"
#include "ops/rms_norm/rms_norm.h"

#include <cmath>

namespace ridge {
namespace {

struct Sizes {
  std::int64_t rows;
  std::int64_t channels;
  std::int64_t row_stride;  // >= channels
  float scale;
  unsigned tags;
};

class RmsNormRun final : public CaseRun {
 public:
  RmsNormRun(Device& device, const Sizes& sizes, std::uint64_t seed, double footprint_bytes) {
    const double set_bytes = 8.0 * static_cast<double>(sizes.rows * sizes.channels);
    const auto sets = std::max<std::int64_t>(1, std::llround(footprint_bytes / std::max(1.0, set_bytes)));
    for (std::int64_t set = 0; set < sets; ++set) {
      const Tensor x = random_tensor(device, {sizes.rows, sizes.row_stride}, seed + 2 * static_cast<std::uint64_t>(set),
                                     sizes.scale);
      args_.push_back({.x = x.slice(1, 0, sizes.channels),
                       .weight = random_tensor(device, {sizes.channels}, seed + 1),
                       .eps = 1e-5F});
    }
  }

  void run(const Exec& exec) override {
    last_ = next_;
    y_ = rms_norm(exec, args_[last_]);
    next_ = (next_ + 1) % args_.size();
  }

  CheckReport check() override {
    const RmsNormArgs& args = args_[last_];
    const auto count = static_cast<std::size_t>(y_.elements());
    std::vector<double> expected(count);
    rms_norm_reference(args, expected.data());
    const double relative = (static_cast<double>(args.x.size(1)) / 16 + 6 + 2 * 4) / 2 * 0x1p-24;
    std::vector<double> tolerance(count);
    for (std::size_t i = 0; i < count; ++i) tolerance[i] = relative * std::fabs(expected[i]) + 0x1p-149;
    return compare({y_.data<float>(), count}, expected, tolerance);
  }

  [[nodiscard]] Tensor output() const override { return y_; }

 private:
  std::vector<RmsNormArgs> args_;
  std::size_t next_ = 0;
  std::size_t last_ = 0;
  Tensor y_;
};

}  // namespace

OpInfo rms_norm_info() {
  OpInfo info{"rms_norm", {}};
  for (const Sizes& sizes :
       {Sizes{1, 1, 1, 1, kTestCase}, Sizes{0, 33, 33, 1, kTestCase}, Sizes{3, 31, 31, 1, kTestCase},
        Sizes{2, 33, 40, 1, kTestCase}, Sizes{5, 127, 127, 1e-18F, kTestCase}, Sizes{4, 1024, 1024, 1e15F, kTestCase},
        Sizes{64, 576, 576, 1, kTestCase | kBenchCase}, Sizes{1, 768, 768, 1, kTestCase | kCalibrationCase},
        Sizes{8, 768, 768, 1, kCalibrationCase}, Sizes{64, 768, 768, 1, kCalibrationCase},
        Sizes{512, 768, 768, 1, kBenchCase | kCalibrationCase}}) {
    info.cases.push_back({fmt::format("rows={} channels={} stride={} scale={}", sizes.rows, sizes.channels,
                                      sizes.row_stride, sizes.scale),
                          sizes.tags, [sizes](Device& device, std::uint64_t seed, double footprint_bytes) {
                            return std::make_unique<RmsNormRun>(device, sizes, seed, footprint_bytes);
                          }});
  }
  return info;
}

}  // namespace ridge
