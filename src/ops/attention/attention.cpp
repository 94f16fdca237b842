#include "ops/attention/attention.h"

#include "core/error.h"
#include "device/cpu/path.h"
#include "ops/attention/cpu.h"
#include "ops/attention/plan.h"

namespace ridge {
namespace {

void check_blocks(const PagedView& view, const SequenceSlice& slice, std::int64_t blocks) {
  const std::int64_t used = (std::int64_t{slice.context} + view.block_size - 1) / view.block_size;
  const auto listed = static_cast<std::int64_t>(view.block_table.size());
  require(slice.first_block >= 0 && slice.first_block + used <= listed,
          "attention: {} blocks from {} on are outside of the block table's {}", used, slice.first_block, listed);
  for (const std::int32_t block :
       view.block_table.subspan(static_cast<std::size_t>(slice.first_block), static_cast<std::size_t>(used))) {
    require(block >= 0 && block < blocks, "attention: block must be in [0, {}), got {}", blocks, block);
  }
}

void check_view(const PagedView& view, const Tensor& keys, std::int64_t rows) {
  require(view.block_size == keys.size(3), "attention: block size is {} in the cache and {} in the view", keys.size(3),
          view.block_size);
  std::int64_t row = 0;
  for (const SequenceSlice& slice : view.slices) {
    require(slice.first_row == row && slice.rows >= 0 && slice.context >= slice.rows,
            "attention: a slice must start at row {} and have 0 to context rows, got row {}, {} rows, context {}", row,
            slice.first_row, slice.rows, slice.context);
    check_blocks(view, slice, keys.size(0));
    row += slice.rows;
  }
  require(row == rows, "attention: slices hold {} rows, q has {}", row, rows);
}

// Positions seen, summed over a slice's rows.
double visible_positions(const SequenceSlice& slice) {
  const double rows = slice.rows;
  return rows * (static_cast<double>(slice.context) - rows) + rows * (rows + 1) / 2;
}

}  // namespace

void check(const AttentionArgs& args) {
  require(args.cache != nullptr, "attention: cache must be given");
  check(*args.cache, "attention");
  const Tensor& keys = args.cache->keys;
  require(args.heads >= 1 && args.heads % keys.size(1) == 0, "attention: heads must be a multiple of {}, got {}",
          keys.size(1), args.heads);
  require(args.q.rank() == 2 && args.q.dtype() == DType::f32 && args.q.is_dense() &&
              args.q.size(1) == args.heads * keys.size(2),
          "attention: q must be [T, {} * {}] f32 and dense, got {} {}", args.heads, keys.size(2),
          dtype_name(args.q.dtype()), to_string(args.q.shape()));
  check_view(args.view, keys, args.q.size(0));
}

// Keys and values of each slice's context move once, for all heads and rows. Rows of the shape class are T, its size
// the mean number of positions that a row sees.
Cost cost(const AttentionArgs& args) {
  const Tensor& keys = args.cache->keys;
  double context = 0;
  double visible = 0;
  for (const SequenceSlice& slice : args.view.slices) {
    context += slice.rows == 0 ? 0 : slice.context;
    visible += visible_positions(slice);
  }
  const auto rows = static_cast<double>(args.q.size(0));
  const auto head_size = static_cast<double>(keys.size(2));
  const double cached_bytes =
      context * static_cast<double>(keys.size(1)) * head_size * static_cast<double>(dtype_bytes(keys.dtype()));
  Cost cost;
  cost.least.read(args.q.data<void>(), 4 * static_cast<double>(args.q.elements()));
  cost.least.read(keys.data<void>(), cached_bytes);
  cost.least.read(args.cache->values.data<void>(), cached_bytes);
  cost.least.write(nullptr, 4 * static_cast<double>(args.q.elements()));
  cost.least[Arithmetic::f32] = 4 * head_size * static_cast<double>(args.heads) * visible;
  cost.actual = cost.least;
  cost.shape = {keys.dtype() == DType::f16 ? "attention/f16" : "attention/f32", rows, rows == 0 ? 0 : visible / rows};
  return cost;
}

Tensor attention(const Exec& exec, const AttentionArgs& args) {
  check(args);
  Tensor y = exec.empty(args.q.shape(), DType::f32);
  const int threads = exec.device().threads();
  const AttentionPlan plan = plan_attention(args, threads);
  const Tensor scratch = exec.empty({threads, plan.scratch_floats}, DType::f32, MemoryKind::workspace);
  const Tensor split = exec.empty({plan.split_floats}, DType::f32, MemoryKind::workspace);
  const Tensor& keys = args.cache->keys;
  exec.run(
      "attention", {args.q.size(0), args.heads, keys.size(1), keys.size(2)}, [&] { return cost(args); },
      [&] {
        const AttentionPath path = choose_path(kAttentionPortable, kAttentionAvx2, kAttentionAvx512);
        attention_cpu(exec.pool(), path, args, plan, {.scratch = scratch, .split = split, .y = y});
      });
  return y;
}

}  // namespace ridge
