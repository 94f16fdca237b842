#include "ops/gather_rows/gather_rows.h"

#include "core/error.h"
#include "ops/gather_rows/cpu.h"

namespace ridge {

void check(const GatherRowsArgs& args) {
  require(args.x.rank() == 2 && args.x.dtype() == DType::f32 && args.x.is_dense(),
          "gather_rows: x must be [T, C] f32 and dense, got {} {}", dtype_name(args.x.dtype()),
          to_string(args.x.shape()));
  for (const std::int32_t row : args.rows) {
    require(row >= 0 && row < args.x.size(0), "gather_rows: row must be in [0, {}), got {}", args.x.size(0), row);
  }
}

Cost cost(const GatherRowsArgs& args) {
  const auto rows = static_cast<double>(args.rows.size());
  const auto channels = static_cast<double>(args.x.size(1));
  Cost cost;
  cost.least.read(args.x.data<void>(), 4 * rows * channels);
  cost.least.read(args.rows.data(), 4 * rows);
  cost.least.write(nullptr, 4 * rows * channels);
  cost.actual = cost.least;
  cost.shape = {"gather_rows", rows, channels};
  return cost;
}

Tensor gather_rows(const Exec& exec, const GatherRowsArgs& args) {
  check(args);
  const auto rows = static_cast<std::int64_t>(args.rows.size());
  Tensor y = exec.empty({rows, args.x.size(1)}, DType::f32);
  exec.run(
      "gather_rows", {rows, args.x.size(1)}, [&] { return cost(args); },
      [&] { gather_rows_cpu(exec.pool(), args, y); });
  return y;
}

}  // namespace ridge
