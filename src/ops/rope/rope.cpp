#include "ops/rope/rope.h"

#include "core/error.h"
#include "ops/rope/cpu.h"

namespace ridge {

void check(const RopeTableArgs& args) {
  for (const std::int32_t position : args.positions) {
    require(position >= 0, "rope_table: positions must not be negative, got {}", position);
  }
}

// An angle, its sine and its cosine: three operations a pair.
Cost cost(const RopeTableArgs& args) {
  const auto rows = static_cast<double>(args.positions.size());
  const auto pairs = static_cast<double>(args.frequencies.size());
  Cost cost;
  cost.least.read(args.positions.data(), 4 * rows);
  cost.least.read(args.frequencies.data(), 4 * pairs);
  cost.least.write(nullptr, 8 * rows * pairs);
  cost.least[Arithmetic::f32] = 3 * rows * pairs;
  cost.actual = cost.least;
  cost.shape = {"rope_table", rows, pairs};
  return cost;
}

Tensor rope_table(const Exec& exec, const RopeTableArgs& args) {
  check(args);
  const auto rows = static_cast<std::int64_t>(args.positions.size());
  const auto pairs = static_cast<std::int64_t>(args.frequencies.size());
  Tensor table = exec.empty({rows, 2 * pairs}, DType::f32);
  exec.run(
      "rope_table", {rows, pairs}, [&] { return cost(args); }, [&] { rope_table_cpu(exec.pool(), args, table); });
  return table;
}

void check(const RopeArgs& args) {
  require(args.head_size >= 1, "rope: head size must be at least 1, got {}", args.head_size);
  require(
      args.x.rank() == 2 && args.x.dtype() == DType::f32 && args.x.is_dense() && args.x.size(1) % args.head_size == 0,
      "rope: x must be [T, H * {}] f32 and dense, got {} {}", args.head_size, dtype_name(args.x.dtype()),
      to_string(args.x.shape()));
  require(args.table.rank() == 2 && args.table.dtype() == DType::f32 && args.table.is_dense() &&
              args.table.size(0) == args.x.size(0) && args.table.size(1) % 2 == 0 &&
              args.table.size(1) <= args.head_size,
          "rope: table must be [{}, R] f32 with R even and at most {}, got {} {}", args.x.size(0), args.head_size,
          dtype_name(args.table.dtype()), to_string(args.table.shape()));
}

// Four products and two sums a pair.
Cost cost(const RopeArgs& args) {
  const auto elements = static_cast<double>(args.x.elements());
  const double pairs = elements / static_cast<double>(args.head_size) * static_cast<double>(args.table.size(1)) / 2;
  Cost cost;
  cost.least.read(args.x.data<void>(), 4 * elements);
  cost.least.read(args.table.data<void>(), 4 * static_cast<double>(args.table.elements()));
  cost.least.write(nullptr, 4 * elements);
  cost.least[Arithmetic::f32] = 6 * pairs;
  cost.actual = cost.least;
  cost.shape = {"rope", static_cast<double>(args.x.size(0)), static_cast<double>(args.x.size(1))};
  return cost;
}

Tensor rope(const Exec& exec, const RopeArgs& args) {
  check(args);
  Tensor y = exec.may_reuse(args.x) ? args.x : exec.empty(args.x.shape(), DType::f32);
  exec.run(
      "rope", {args.x.size(0), args.x.size(1), args.head_size, args.table.size(1)}, [&] { return cost(args); },
      [&] { rope_cpu(exec.pool(), args, y); });
  return y;
}

}  // namespace ridge
