// Error model. Float formats: K fused multiply-adds in a row err by at most K u times the sum of |x w|, u = 2^-24.
// Block formats: rounding an activation to a step of s = max |x| / 127 errs by at most s / 2, so an output by at most
// (s / 2) times the group's sum of |w|, added over groups; each group adds two roundings of its own and one of the sum.
// Bias and residual add a rounding each.
#include "core/error.h"
#include "core/rng.h"
#include "ops/case.h"
#include "ops/linear/linear.h"
#include "ops/linear/pack.h"
#include "ops/linear/packed.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ridge {
namespace {

struct Sizes {
  std::int64_t rows;
  std::int64_t k;
  std::vector<std::pair<Format, std::int64_t>> outputs;  // format and N of each
  float scale = 1;
  bool extras = false;  // bias, and a residual where there is a single output
};

// Random rows in `format`, made by encoding random floats. Large weights repeat rows: drawing all of them would take
// longer than what is measured on them.
Weight random_weight(Device& device, Format format, std::int64_t n, std::int64_t k, std::uint64_t seed) {
  const Exec exec(device);
  if (exec.on_paper()) return pack_weight(exec, format, n, k, {});
  constexpr std::size_t kDistinct = 101;
  PhiloxStream random(seed);
  std::vector<float> row(static_cast<std::size_t>(k));
  const auto bytes = static_cast<std::size_t>(row_bytes(format, k));
  std::vector<std::byte> rows(static_cast<std::size_t>(n) * bytes);
  for (std::size_t r = 0; r < static_cast<std::size_t>(n); ++r) {
    const std::span<std::byte> to{rows.data() + r * bytes, bytes};
    if (r >= kDistinct) {
      std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>((r - kDistinct) * bytes), bytes, to.begin());
      continue;
    }
    std::generate(row.begin(), row.end(), [&] { return random.normal(); });
    encode_row(format, row, to);
  }
  return pack_weight(exec, format, n, k, rows);
}

// The same weights elsewhere in memory: quicker to make than others, and no slower or faster to read.
Weight copy_of(Device& device, const Weight& weight) {
  Weight copy = weight;
  copy.bytes = device.memory().allocate(weight.bytes.shape(), weight.bytes.dtype(), MemoryKind::weights);
  if (device.kind() == DeviceKind::cpu) {
    std::memcpy(copy.bytes.data<std::byte>(), weight.bytes.data<std::byte>(), weight.bytes.bytes());
  }
  return copy;
}

class LinearRun final : public CaseRun {
 public:
  LinearRun(Device& device, const Sizes& sizes, std::uint64_t seed, double footprint_bytes)
      : x_(random_tensor(device, {sizes.rows, sizes.k}, seed, sizes.scale)) {
    double set_bytes = 0;
    for (const auto& [format, n] : sizes.outputs) set_bytes += static_cast<double>(packed_bytes(format, n, sizes.k));
    const auto sets = std::max<std::int64_t>(1, std::llround(footprint_bytes / std::max(1.0, set_bytes)));
    for (std::int64_t set = 0; set < sets; ++set) {
      for (std::size_t i = 0; i < sizes.outputs.size(); ++i) {
        const auto& [format, n] = sizes.outputs[i];
        weights_.push_back(set == 0 ? random_weight(device, format, n, sizes.k, seed + i + 1)
                                    : copy_of(device, weights_[i]));
      }
    }
    outputs_ = sizes.outputs.size();
    if (!sizes.extras) return;
    for (std::size_t i = 0; i < outputs_; ++i)
      biases_[i] = random_tensor(device, {sizes.outputs[i].second}, seed + 91 + i);
    if (outputs_ == 1) residual_ = random_tensor(device, {sizes.rows, sizes.outputs[0].second}, seed + 99);
  }

  void run(const Exec& exec) override {
    y_ = linear(exec, next());
    set_ = (set_ + 1) % (weights_.size() / outputs_);
  }

  CheckReport check() override {
    set_ = (set_ + weights_.size() / outputs_ - 1) % (weights_.size() / outputs_);
    const LinearArgs args = next();
    CheckReport worst;
    for (std::size_t i = 0; i < outputs_; ++i) {
      const auto count = static_cast<std::size_t>(y_[i].elements());
      std::vector<double> expected(count);
      linear_reference(args, i, expected.data());
      const CheckReport report = compare({y_[i].data<float>(), count}, expected, tolerance(args, i, expected));
      if (i == 0 || !(report.worst <= worst.worst)) worst = report;
    }
    return worst;
  }

 private:
  [[nodiscard]] LinearArgs next() const {
    LinearArgs args{.x = x_, .weights = {}, .biases = biases_, .residual = residual_};
    for (std::size_t i = 0; i < outputs_; ++i) args.weights[i] = &weights_[set_ * outputs_ + i];
    return args;
  }

  static std::vector<double> tolerance(const LinearArgs& args, std::size_t output,
                                       const std::vector<double>& expected) {
    constexpr double kUnit = 0x1p-24;
    const Weight& weight = *args.weights[output];
    const bool quantised = packed_format(weight.format).bits != 0;
    const std::int64_t group = quantised ? kGroupElements : 1;
    const double rounding = kUnit * (3 * static_cast<double>(weight.k) / static_cast<double>(group) + 4);
    std::vector<float> row(static_cast<std::size_t>(weight.k));
    std::vector<double> tolerance(expected.size());
    for (std::int64_t n = 0; n < weight.n; ++n) {
      unpack_row(weight, n, row.data());
      for (std::int64_t t = 0; t < args.x.size(0); ++t) {
        const float* x = args.x.data<float>() + t * weight.k;
        double magnitude = 0;
        double steps = 0;
        for (std::int64_t k = 0; k < weight.k; k += group) {
          double largest = 0;
          double weights = 0;
          for (std::int64_t i = k; i < k + group; ++i) {
            const double w = std::fabs(static_cast<double>(row[static_cast<std::size_t>(i)]));
            largest = std::max(largest, std::fabs(static_cast<double>(x[i])));
            weights += w;
            magnitude += w * std::fabs(static_cast<double>(x[i]));
          }
          if (quantised) steps += largest / 254 * weights;
        }
        const auto at = static_cast<std::size_t>(t * weight.n + n);
        // Block formats hold integers up to 16 times a small weight: their sums round in units of the largest.
        tolerance[at] = steps + rounding * (magnitude + 2 * steps) * (quantised ? 4 : 1) +
                        2 * kUnit * std::fabs(expected[at]) + 2 * kUnit * 8 + 0x1p-120;
      }
    }
    return tolerance;
  }

  Tensor x_;
  std::vector<Weight> weights_;
  std::array<Tensor, kMaxLinearOutputs> biases_;
  Tensor residual_;
  std::size_t outputs_ = 0;
  std::size_t set_ = 0;
  LinearOutputs y_;
};

void add(OpInfo& info, const Sizes& sizes, unsigned tags) {
  std::string name = fmt::format("rows={} k={} scale={}", sizes.rows, sizes.k, sizes.scale);
  for (const auto& [format, n] : sizes.outputs) name += fmt::format(" {}:{}", format_name(format), n);
  info.cases.push_back({std::move(name), tags, [sizes](Device& device, std::uint64_t seed, double footprint_bytes) {
                          return std::make_unique<LinearRun>(device, sizes, seed, footprint_bytes);
                        }});
}

constexpr Format kFloats[] = {Format::f32, Format::f16, Format::bf16};
constexpr Format kBlocks[] = {Format::q4_0, Format::q4_1, Format::q8_0};

void add_tests(OpInfo& info) {
  for (const Format format : kFloats) {
    for (const auto& [rows, k, n] :
         {std::array<std::int64_t, 3>{1, 1, 1}, {0, 31, 33}, {3, 31, 17}, {9, 127, 15}, {2, 0, 5}}) {
      add(info, {rows, k, {{format, n}}, 1, true}, kTestCase);
    }
  }
  for (const Format format : kBlocks) {
    for (const auto& [rows, k, n] : {std::array<std::int64_t, 3>{1, 32, 1},
                                     {0, 32, 33},
                                     {3, 64, 31},
                                     {13, 576, 97},
                                     {64, 1536, 48},
                                     {1, 576, 192}}) {
      add(info, {rows, k, {{format, n}}, 1, true}, kTestCase);
    }
    add(info, {5, 96, {{format, 33}}, 1e-18F}, kTestCase);
    add(info, {5, 96, {{format, 33}}, 1e18F}, kTestCase);
  }
  add(info, {17, 64, {{Format::q4_1, 33}, {Format::q8_0, 16}, {Format::f32, 7}, {Format::q4_0, 1}}, 1, true},
      kTestCase);
  add(info, {2, 0, {{Format::q8_0, 17}}, 1, true}, kTestCase);
}

// Sizes that are no model's of the tests. The lab gives each a fixed time.
void add_calibration(OpInfo& info) {
  for (const Format format : {Format::q4_1, Format::q8_0}) {
    for (const std::int64_t rows : {1, 2, 4, 8, 16, 64, 512}) {
      add(info, {rows, 768, {{format, 640}}}, kCalibrationCase);
      add(info, {rows, 640, {{format, 2048}}}, kCalibrationCase);
    }
    add(info, {1, 768, {{format, 32768}}}, kCalibrationCase);
    add(info, {8, 768, {{format, 32768}}}, kCalibrationCase);
  }
  for (const Format format : {Format::q4_0, Format::f32, Format::f16, Format::bf16}) {
    for (const std::int64_t rows : {1, 8, 512}) add(info, {rows, 640, {{format, 1024}}}, kCalibrationCase);
  }
}

}  // namespace

OpInfo linear_info() {
  OpInfo info{"linear", {}};
  add_tests(info);
  add_calibration(info);
  add(info, {512, 576, {{Format::q4_1, 1536}, {Format::q4_1, 1536}}}, kBenchCase);
  add(info, {1, 576, {{Format::q8_0, 49152}}}, kBenchCase);
  return info;
}

}  // namespace ridge
