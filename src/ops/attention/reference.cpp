#include "ops/attention/attention.h"

#include "core/half.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace ridge {
namespace {

double cached(const Tensor& x, std::int64_t i) {
  return x.dtype() == DType::f16 ? to_float(Half{x.data<std::uint16_t>()[i]}) : x.data<float>()[i];
}

// One row and head over the first `visible` positions of its slice.
void attend(const AttentionArgs& args, const SequenceSlice& slice, const float* q, std::int64_t kv_head,
            std::int64_t visible, double* y) {
  const Tensor& keys = args.cache->keys;
  const std::int64_t head_size = keys.size(2);
  const std::int64_t block_size = keys.size(3);
  const auto page = [&](std::int64_t p) {
    const auto entry = static_cast<std::size_t>(slice.first_block + p / block_size);
    return (args.view.block_table[entry] * keys.size(1) + kv_head) * head_size * block_size;
  };
  std::vector<double> weights(static_cast<std::size_t>(visible));
  double largest = -std::numeric_limits<double>::infinity();
  for (std::int64_t p = 0; p < visible; ++p) {
    double score = 0;
    for (std::int64_t d = 0; d < head_size; ++d)
      score += q[d] * cached(keys, page(p) + d * block_size + p % block_size);
    weights[static_cast<std::size_t>(p)] = score * args.scale;
    largest = std::max(largest, score * args.scale);
  }
  double sum = 0;
  for (double& weight : weights) sum += weight = std::exp(weight - largest);
  std::fill_n(y, head_size, 0.0);
  for (std::int64_t p = 0; p < visible; ++p) {
    const double weight = weights[static_cast<std::size_t>(p)] / sum;
    for (std::int64_t d = 0; d < head_size; ++d) {
      y[d] += weight * cached(args.cache->values, page(p) + p % block_size * head_size + d);
    }
  }
}

}  // namespace

void attention_reference(const AttentionArgs& args, double* y) {
  const std::int64_t head_size = args.cache->keys.size(2);
  const std::int64_t group = args.heads / args.cache->keys.size(1);
  for (const SequenceSlice& slice : args.view.slices) {
    for (std::int64_t r = 0; r < slice.rows; ++r) {
      for (std::int64_t h = 0; h < args.heads; ++h) {
        const std::int64_t offset = ((slice.first_row + r) * args.heads + h) * head_size;
        const std::int64_t visible = std::int64_t{slice.context} - slice.rows + r + 1;
        attend(args, slice, args.q.data<float>() + offset, h / group, visible, y + offset);
      }
    }
  }
}

}  // namespace ridge
