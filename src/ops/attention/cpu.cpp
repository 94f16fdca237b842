#include "ops/attention/cpu.h"

namespace ridge {
namespace {

AttentionTile tile_of(const AttentionArgs& args, const AttentionPlan& plan, const AttentionMemory& memory,
                      const AttentionItem& item, int thread) {
  const Tensor& keys = args.cache->keys;
  const SequenceSlice& slice = args.view.slices[item.slice];
  const std::int64_t group = args.heads / keys.size(1);
  const std::int64_t head_elements = keys.size(2) * keys.size(3);
  const auto head_bytes = head_elements * static_cast<std::int64_t>(dtype_bytes(keys.dtype()));
  const std::int64_t q_offset =
      (slice.first_row + item.first_row) * args.q.size(1) + item.kv_head * group * keys.size(2);
  float* scratch = memory.scratch.data<float>() + thread * plan.scratch_floats;
  const auto take = [&scratch](std::int64_t floats) {
    float* part = scratch;
    scratch += floats;
    return part;
  };
  AttentionTile tile{.q = args.q.data<float>() + q_offset,
                     .y = memory.y.data<float>() + q_offset,
                     .row_stride = args.q.size(1),
                     .rows = item.rows,
                     .group = group,
                     .position = std::int64_t{slice.context} - slice.rows + item.first_row,
                     .scale = args.scale,
                     .keys = keys.data<std::byte>() + item.kv_head * head_bytes,
                     .values = args.cache->values.data<std::byte>() + item.kv_head * head_bytes,
                     .blocks = args.view.block_table.data() + slice.first_block,
                     .block_size = keys.size(3),
                     .block_stride = keys.size(1) * head_elements,
                     .head_size = keys.size(2),
                     .f16 = keys.dtype() == DType::f16,
                     .padded_head = plan.padded_head,
                     .padded_rows = plan.padded_rows,
                     .span_floats = plan.span_floats,
                     .packed_q = take(plan.packed_q_floats),
                     .gathered_keys = take(plan.gathered_floats),
                     .gathered_values = take(plan.gathered_floats),
                     .scores = take(plan.scores_floats),
                     .state = take(plan.span_floats),
                     .factors = take(2 * plan.padded_rows),
                     .spans = take(plan.span_floats),
                     .split = plan.spans_per_item != 0};
  if (tile.split) tile.spans = memory.split.data<float>() + item.split_offset;
  return tile;
}

}  // namespace

void attention_cpu(ThreadPool& pool, const AttentionPath& path, const AttentionArgs& args, const AttentionPlan& plan,
                   const AttentionMemory& memory) {
  pool.parallel_for(plan.items, [&](std::int64_t i, int thread) {
    const AttentionItem item = attention_item(args, plan, i);
    path.spans(tile_of(args, plan, memory, item, thread), item.first_span, item.last_span);
  });
  if (plan.spans_per_item == 0) return;
  pool.parallel_for(plan.tiles, [&](std::int64_t i, int thread) {
    const AttentionItem item = attention_tile(args, plan, i);
    path.merge(tile_of(args, plan, memory, item, thread), item.last_span);
  });
}

}  // namespace ridge
