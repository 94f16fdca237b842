#include "ops/gather_rows/cpu.h"

#include "ops/rows.h"

namespace ridge {

void gather_rows_cpu(ThreadPool& pool, const GatherRowsArgs& args, const Tensor& y) {
  const std::int64_t channels = args.x.size(1);
  for_rows(pool, y.size(0), channels, [&](std::int64_t r) {
    std::copy_n(args.x.data<float>() + args.rows[static_cast<std::size_t>(r)] * channels, channels,
                y.data<float>() + r * channels);
  });
}

}  // namespace ridge
