#include "ops/rope/rope.h"

#include <cmath>

namespace ridge {

void rope_table_reference(const RopeTableArgs& args, double* table) {
  for (const std::int32_t position : args.positions) {
    for (const float frequency : args.frequencies) *table++ = std::cos(static_cast<double>(position) * frequency);
    for (const float frequency : args.frequencies) *table++ = std::sin(static_cast<double>(position) * frequency);
  }
}

void rope_reference(const RopeArgs& args, double* y) {
  const std::int64_t turned = args.table.size(1);
  const bool neighbours = args.pairs == RopePairs::neighbours;
  for (std::int64_t t = 0; t < args.x.size(0); ++t) {
    const float* table = args.table.data<float>() + t * turned;
    for (std::int64_t begin = t * args.x.size(1); begin < (t + 1) * args.x.size(1); begin += args.head_size) {
      const float* x = args.x.data<float>() + begin;
      for (std::int64_t c = 0; c < args.head_size; ++c) y[begin + c] = x[c];
      for (std::int64_t i = 0; i < turned / 2; ++i) {
        const std::int64_t a = neighbours ? 2 * i : i;
        const std::int64_t b = neighbours ? 2 * i + 1 : i + turned / 2;
        const double cosine = table[i];
        const double sine = table[turned / 2 + i];
        y[begin + a] = x[a] * cosine - x[b] * sine;
        y[begin + b] = x[a] * sine + x[b] * cosine;
      }
    }
  }
}

}  // namespace ridge
