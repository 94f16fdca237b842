// Error model (u = 2^-24). Table: a cosine or sine is rounded once, u of its size. Turn: two products and a sum round,
// 2 u (|a cos| + |b sin|) with second orders in the 2^-149 that underflow may take.
#include "core/error.h"
#include "core/rng.h"
#include "ops/case.h"
#include "ops/rope/rope.h"

#include <algorithm>
#include <cmath>

namespace ridge {
namespace {

struct Sizes {
  std::int64_t rows;
  std::int64_t heads;
  std::int64_t head_size;
  std::int64_t turned;  // R
  RopePairs pairs;
  std::int32_t last_position;
  unsigned tags;
};

std::vector<float> frequencies_of(std::int64_t turned) {
  std::vector<float> frequencies;
  for (std::int64_t i = 0; i < turned / 2; ++i) {
    frequencies.push_back(
        static_cast<float>(std::pow(1e4, -2.0 * static_cast<double>(i) / static_cast<double>(turned))));
  }
  return frequencies;
}

std::vector<std::int32_t> positions_of(std::int64_t rows, std::int32_t last) {
  std::vector<std::int32_t> positions;
  for (std::int64_t t = rows - 1; t >= 0; --t) {
    positions.push_back(std::max<std::int32_t>(0, last - static_cast<std::int32_t>(t)));
  }
  return positions;
}

class RopeTableRun final : public CaseRun {
 public:
  explicit RopeTableRun(const Sizes& sizes)
      : frequencies_(frequencies_of(sizes.turned)), positions_(positions_of(sizes.rows, sizes.last_position)) {}

  void run(const Exec& exec) override {
    table_ = rope_table(exec, {.positions = positions_, .frequencies = frequencies_});
  }

  CheckReport check() override {
    const auto count = static_cast<std::size_t>(table_.elements());
    std::vector<double> expected(count);
    rope_table_reference({.positions = positions_, .frequencies = frequencies_}, expected.data());
    std::vector<double> tolerance(count);
    std::transform(expected.begin(), expected.end(), tolerance.begin(),
                   [](double value) { return 0x1p-24 * std::fabs(value) + 0x1p-149; });
    return compare({table_.data<float>(), count}, expected, tolerance);
  }

  [[nodiscard]] Tensor output() const override { return table_; }

 private:
  std::vector<float> frequencies_;
  std::vector<std::int32_t> positions_;
  Tensor table_;
};

class RopeRun final : public CaseRun {
 public:
  RopeRun(Device& device, const Sizes& sizes, std::uint64_t seed, double footprint_bytes) {
    const Shape shape{sizes.rows, sizes.heads * sizes.head_size};
    const auto frequencies = frequencies_of(sizes.turned);
    const auto positions = positions_of(sizes.rows, sizes.last_position);
    const Tensor table = rope_table(Exec(device), {.positions = positions, .frequencies = frequencies});
    const double set_bytes = 8.0 * static_cast<double>(shape.elements());
    const auto sets = std::max<std::int64_t>(1, std::llround(footprint_bytes / std::max(1.0, set_bytes)));
    for (std::int64_t set = 0; set < sets; ++set) {
      args_.push_back({.x = random_tensor(device, shape, seed + static_cast<std::uint64_t>(set)),
                       .table = table,
                       .head_size = sizes.head_size,
                       .pairs = sizes.pairs});
    }
  }

  void run(const Exec& exec) override {
    last_ = next_;
    const Tensor keep = args_[last_].x;  // a second handle: the case wants its input back
    y_ = rope(exec, args_[last_]);
    next_ = (next_ + 1) % args_.size();
  }

  CheckReport check() override {
    const auto count = static_cast<std::size_t>(y_.elements());
    std::vector<double> expected(count);
    rope_reference(args_[last_], expected.data());
    // |a cos| + |b sin| is at most the length of the pair, which turning keeps; the longest of the row bounds all.
    const float* x = args_[last_].x.data<float>();
    const double largest =
        std::fabs(*std::max_element(x, x + count, [](float a, float b) { return std::fabs(a) < std::fabs(b); }));
    std::vector<double> tolerance(count, 2 * 0x1p-24 * std::sqrt(2.0) * largest + 0x1p-149);
    return compare({y_.data<float>(), count}, expected, tolerance);
  }

  [[nodiscard]] Tensor output() const override { return y_; }

 private:
  std::vector<RopeArgs> args_;
  std::size_t next_ = 0;
  std::size_t last_ = 0;
  Tensor y_;
};

}  // namespace

OpInfo rope_info() {
  OpInfo info{"rope", {}};
  constexpr auto kNeighbours = RopePairs::neighbours;
  constexpr auto kHalves = RopePairs::halves;
  for (const Sizes& sizes :
       {Sizes{1, 1, 2, 2, kNeighbours, 0, kTestCase}, Sizes{0, 3, 64, 64, kHalves, 0, kTestCase},
        Sizes{3, 2, 33, 32, kNeighbours, 127, kTestCase}, Sizes{31, 5, 33, 30, kHalves, 100000, kTestCase},
        Sizes{7, 3, 80, 80, kNeighbours, 100000, kTestCase}, Sizes{5, 9, 64, 64, kHalves, 8191, kTestCase},
        Sizes{64, 9, 64, 64, kNeighbours, 511, kTestCase | kBenchCase}, Sizes{2, 3, 128, 0, kHalves, 5, kTestCase},
        Sizes{1, 12, 64, 64, kNeighbours, 100, kCalibrationCase},
        Sizes{8, 12, 64, 64, kNeighbours, 100, kCalibrationCase},
        Sizes{64, 12, 64, 64, kNeighbours, 100, kTestCase | kCalibrationCase},
        Sizes{512, 12, 64, 64, kNeighbours, 511, kCalibrationCase}}) {
    const std::string name =
        fmt::format("rows={} heads={} head={} turned={} pairs={} last={}", sizes.rows, sizes.heads, sizes.head_size,
                    sizes.turned, sizes.pairs == kHalves ? "halves" : "neighbours", sizes.last_position);
    info.cases.push_back({name, sizes.tags, [sizes](Device& device, std::uint64_t seed, double footprint_bytes) {
                            return std::make_unique<RopeRun>(device, sizes, seed, footprint_bytes);
                          }});
    info.cases.push_back({"table " + name, sizes.tags,
                          [sizes](Device&, std::uint64_t, double) { return std::make_unique<RopeTableRun>(sizes); }});
  }
  return info;
}

}  // namespace ridge
