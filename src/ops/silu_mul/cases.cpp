// Error model (u = 2^-24): the exponential has an error below 3 u, which the sum with 1 does not enlarge; sum, quotient
// and product add u each, 8 u in all with second orders. Where exp(-gate) leaves the range of float it stands at
// 2^127.5: y is then off by less than |gate * up| 2^-127.
#include "core/error.h"
#include "ops/case.h"
#include "ops/silu_mul/silu_mul.h"

#include <cmath>

namespace ridge {
namespace {

struct Sizes {
  std::int64_t rows;
  std::int64_t channels;
  float scale;
  unsigned tags;
};

class SiluMulCaseRun final : public CaseRun {
 public:
  SiluMulCaseRun(Device& device, const Sizes& sizes, std::uint64_t seed, double footprint_bytes) {
    const Shape shape{sizes.rows, sizes.channels};
    const double set_bytes = 12.0 * static_cast<double>(shape.elements());
    const auto sets = std::max<std::int64_t>(1, std::llround(footprint_bytes / std::max(1.0, set_bytes)));
    for (std::int64_t set = 0; set < sets; ++set) {
      const std::uint64_t set_seed = seed + 2 * static_cast<std::uint64_t>(set);
      args_.push_back({.gate = random_tensor(device, shape, set_seed, sizes.scale),
                       .up = random_tensor(device, shape, set_seed + 1)});
    }
  }

  void run(const Exec& exec) override {
    last_ = next_;
    const Tensor keep = args_[last_].gate;  // a second handle: the case wants its input back
    y_ = silu_mul(exec, args_[last_]);
    next_ = (next_ + 1) % args_.size();
  }

  CheckReport check() override {
    const SiluMulArgs& args = args_[last_];
    const auto count = static_cast<std::size_t>(y_.elements());
    std::vector<double> expected(count);
    silu_mul_reference(args, expected.data());
    std::vector<double> tolerance(count);
    for (std::size_t i = 0; i < count; ++i) {
      const double product = std::fabs(static_cast<double>(args.gate.data<float>()[i]) * args.up.data<float>()[i]);
      tolerance[i] = 8 * 0x1p-24 * std::fabs(expected[i]) + 0x1p-127 * product + 0x1p-149;
    }
    return compare({y_.data<float>(), count}, expected, tolerance);
  }

  [[nodiscard]] Tensor output() const override { return y_; }

 private:
  std::vector<SiluMulArgs> args_;
  std::size_t next_ = 0;
  std::size_t last_ = 0;
  Tensor y_;
};

}  // namespace

OpInfo silu_mul_info() {
  OpInfo info{"silu_mul", {}};
  for (const Sizes& sizes :
       {Sizes{1, 1, 1, kTestCase}, Sizes{0, 33, 1, kTestCase}, Sizes{3, 31, 1, kTestCase}, Sizes{2, 33, 30, kTestCase},
        Sizes{5, 127, 1e-18F, kTestCase}, Sizes{4, 1021, 1e4F, kTestCase}, Sizes{1, 2048, 1, kCalibrationCase},
        Sizes{8, 2048, 1, kTestCase | kCalibrationCase}, Sizes{64, 1536, 4, kTestCase | kBenchCase},
        Sizes{64, 2048, 1, kCalibrationCase}, Sizes{512, 2048, 1, kBenchCase | kCalibrationCase}}) {
    info.cases.push_back({fmt::format("rows={} channels={} scale={}", sizes.rows, sizes.channels, sizes.scale),
                          sizes.tags, [sizes](Device& device, std::uint64_t seed, double footprint_bytes) {
                            return std::make_unique<SiluMulCaseRun>(device, sizes, seed, footprint_bytes);
                          }});
  }
  return info;
}

}  // namespace ridge
