#include "ops/rope/cpu.h"

#include "device/cpu/path.h"
#include "ops/rows.h"

#include <cmath>

namespace ridge {

void rope_table_cpu(ThreadPool& pool, const RopeTableArgs& args, const Tensor& table) {
  // A sine in double takes about as long as this many elements of other operators.
  constexpr std::int64_t kElementsPerPair = 64;
  const std::int64_t pairs = table.size(1) / 2;
  for_rows(pool, table.size(0), kElementsPerPair * pairs, [&](std::int64_t t) {
    const double position = args.positions[static_cast<std::size_t>(t)];
    float* row = table.data<float>() + t * 2 * pairs;
    for (std::int64_t i = 0; i < pairs; ++i) {
      const double angle = position * static_cast<double>(args.frequencies[static_cast<std::size_t>(i)]);
      row[i] = static_cast<float>(std::cos(angle));
      row[pairs + i] = static_cast<float>(std::sin(angle));
    }
  });
}

void rope_cpu(ThreadPool& pool, const RopeArgs& args, const Tensor& y) {
  const RopeRowFunction turn = choose_path(rope_row_portable, rope_row_avx2, rope_row_avx512);
  const std::int64_t channels = args.x.size(1);
  for_rows(pool, args.x.size(0), channels, [&](std::int64_t t) {
    turn({.x = args.x.data<float>() + t * channels,
          .table = args.table.data<float>() + t * args.table.size(1),
          .y = y.data<float>() + t * channels,
          .heads = channels / args.head_size,
          .head_size = args.head_size,
          .turned_pairs = args.table.size(1) / 2,
          .pairs = args.pairs});
  });
}

}  // namespace ridge
