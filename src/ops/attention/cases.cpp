// Error model (u = 2^-24), for a row and head that sees n positions in S spans, with A the largest over positions of
// scale * sum over d of |q_d k_d| and W_d = sum over positions of weight * |v_d|:
// a score is off by at most (D + 2) u A and its distance to the largest by 2 u A more, which is the relative error of
// its weight; the exponential adds 3 u, sums over a span 128 u and each merge 8 u. Weights and their sum err alike, so
// y_d is off by at most 2 ((D + 4) A + 136 + 8 S) u W_d. Weights below 2^-126 may vanish: n 2^-125 max |v| more.
#include "core/error.h"
#include "ops/attention/input.h"
#include "ops/case.h"

#include <algorithm>
#include <cmath>

namespace ridge {
namespace {

class AttentionRun final : public CaseRun {
 public:
  AttentionRun(Device& device, const AttentionSizes& sizes, std::uint64_t seed, double footprint_bytes, bool shuffled)
      : device_(device), input_(device, sizes, seed, footprint_bytes, shuffled) {}

  void run(const Exec& exec) override {
    last_ = next_;
    y_ = attention(exec, input_.args(last_));
    next_ = (next_ + 1) % input_.copies();
  }

  CheckReport check() override {
    const auto count = static_cast<std::size_t>(y_.elements());
    std::vector<double> expected(count);
    attention_reference(input_.args(last_), expected.data());
    return compare({y_.data<float>(), count}, expected, tolerances());
  }

  [[nodiscard]] Tensor output() const override { return y_; }

 private:
  // W: the reference over the sizes of the values.
  [[nodiscard]] std::vector<double> weighted_sizes() const {
    AttentionArgs args = input_.args(last_);
    KvLayer sizes = *args.cache;
    sizes.values = device_.memory().allocate(sizes.values.shape(), sizes.values.dtype(), MemoryKind::kv);
    const auto magnitude = [&](auto bits, auto mask) {
      const auto* from = args.cache->values.data<decltype(bits)>();
      std::transform(from, from + sizes.values.elements(), sizes.values.data<decltype(bits)>(),
                     [mask](auto x) { return static_cast<decltype(bits)>(x & mask); });
    };
    if (sizes.values.dtype() == DType::f16) {
      magnitude(std::uint16_t{}, 0x7FFFU);
    } else {
      magnitude(std::uint32_t{}, 0x7FFFFFFFU);
    }
    args.cache = &sizes;
    std::vector<double> out(static_cast<std::size_t>(y_.elements()));
    attention_reference(args, out.data());
    return out;
  }

  // A / scale of one row and head.
  [[nodiscard]] double largest_products(std::size_t sequence, std::int64_t position, std::int64_t head) const {
    const AttentionSizes& sizes = input_.sizes();
    const std::int64_t kv_head = head / (sizes.heads / sizes.kv_heads);
    double largest = 0;
    for (std::int64_t p = 0; p <= position; ++p) {
      double sum = 0;
      for (std::int64_t d = 0; d < sizes.head_size; ++d) {
        sum += std::fabs(double{input_.query(sequence, position, head, d)} * input_.key(sequence, p, kv_head, d));
      }
      largest = std::max(largest, sum);
    }
    return largest;
  }

  [[nodiscard]] std::vector<double> tolerances() const {
    const AttentionSizes& sizes = input_.sizes();
    const AttentionArgs args = input_.args(last_);
    std::vector<double> tolerance = weighted_sizes();
    auto at = tolerance.begin();
    for (std::size_t s = 0; s < sizes.slices.size(); ++s) {
      const auto [rows, context] = sizes.slices[s];
      for (std::int64_t position = context - rows; position < context; ++position) {
        for (std::int64_t head = 0; head < sizes.heads; ++head) {
          const double products = args.scale * largest_products(s, position, head);
          const auto spans = static_cast<double>(position / kAttentionSpan + 1);
          const double relative = 2 * (static_cast<double>(sizes.head_size + 4) * products + 136 + 8 * spans) * 0x1p-24;
          const double vanished = static_cast<double>(position + 1) * 0x1p-125 * 8;  // inputs stay below 8
          for (std::int64_t d = 0; d < sizes.head_size; ++d, ++at) *at = relative * *at + vanished;
        }
      }
    }
    return tolerance;
  }

  Device& device_;
  AttentionInput input_;
  std::size_t next_ = 0;
  std::size_t last_ = 0;
  Tensor y_;
};

struct Tagged {
  AttentionSizes sizes;
  unsigned tags;
};

std::vector<Tagged> test_sizes() {
  std::vector<Tagged> cases;
  const auto add = [&](const AttentionSizes& sizes) { cases.push_back({sizes, kTestCase}); };
  add({.slices = {{1, 1}}, .block_size = 1});
  add({.slices = {}, .heads = 3, .kv_heads = 3, .head_size = 64});
  add({.slices = {{0, 0}, {2, 2}, {0, 5}}, .heads = 2, .kv_heads = 1, .head_size = 16});
  add({.slices = {{31, 31}}, .heads = 4, .kv_heads = 2, .head_size = 33, .block_size = 17});
  add({.slices = {{1, 127}, {1, 128}, {1, 129}, {1, 255}, {1, 257}, {1, 1000}},
       .heads = 9,
       .kv_heads = 3,
       .head_size = 64});
  add({.slices = {{1, 127}, {1, 128}, {1, 129}, {1, 257}, {1, 1000}},
       .heads = 4,
       .head_size = 80,
       .block_size = 17,
       .dtype = DType::f32});
  add({.slices = {{33, 161}, {1, 300}, {7, 129}, {1, 1}, {64, 64}}, .heads = 8, .head_size = 64});
  add({.slices = {{127, 257}}, .heads = 2, .kv_heads = 2, .head_size = 128, .block_size = 1});
  add({.slices = {{5, 1000}}, .heads = 4, .kv_heads = 2, .head_size = 33, .q_scale = 100});
  add({.slices = {{13, 200}}, .heads = 3, .head_size = 64, .block_size = 32, .dtype = DType::f32, .q_scale = 1e4F});
  return cases;
}

// Decode rows of sequences of their own, and prefill chunks.
std::vector<Tagged> calibration_sizes() {
  std::vector<Tagged> cases;
  const auto add = [&](std::size_t sequences, std::int32_t rows, std::int32_t context, std::int64_t head_size,
                       DType dtype, unsigned tags) {
    cases.push_back({{.slices = std::vector<std::pair<std::int32_t, std::int32_t>>(sequences, {rows, context}),
                      .heads = 16,
                      .kv_heads = 4,
                      .head_size = head_size,
                      .dtype = dtype},
                     tags | kCalibrationCase});
  };
  for (const std::int32_t context : {64, 512, 2048}) {
    add(1, 1, context, 64, DType::f16, kBenchCase);
    add(8, 1, context, 64, DType::f16, 0);
    add(1, 64, context, 64, DType::f16, 0);
  }
  for (const std::int32_t context : {512, 2048}) add(1, 512, context, 64, DType::f16, kBenchCase);
  for (const DType dtype : {DType::f16, DType::f32}) {
    add(1, 1, 1024, 128, dtype, 0);
    add(8, 1, 256, 128, dtype, 0);
    add(1, 64, 256, 128, dtype, 0);
    add(1, 512, 640, 128, dtype, 0);
  }
  return cases;
}

std::string name_of(const AttentionSizes& sizes) {
  std::string slices;
  for (const auto& [rows, context] : sizes.slices) {
    slices += fmt::format("{}{}/{}", slices.empty() ? "" : ",", rows, context);
  }
  return fmt::format("slices={} heads={}/{} head={} block={} type={} scale={}", slices, sizes.heads, sizes.kv_heads,
                     sizes.head_size, sizes.block_size, dtype_name(sizes.dtype), sizes.q_scale);
}

}  // namespace

OpInfo attention_info() {
  OpInfo info{"attention", {}};
  std::vector<Tagged> all = test_sizes();
  for (const Tagged& one : calibration_sizes()) all.push_back(one);
  for (const Tagged& one : all) {
    const bool shuffled = (one.tags & kTestCase) != 0;
    info.cases.push_back({name_of(one.sizes), one.tags,
                          [sizes = one.sizes, shuffled](Device& device, std::uint64_t seed, double footprint_bytes) {
                            return std::make_unique<AttentionRun>(device, sizes, seed, footprint_bytes, shuffled);
                          }});
  }
  return info;
}

}  // namespace ridge
