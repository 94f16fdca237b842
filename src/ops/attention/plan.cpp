#include "ops/attention/plan.h"

#include <algorithm>

namespace ridge {
namespace {

// Enough for gathering and converting a span to cost little beside its products.
constexpr std::int64_t kTileScores = 96;
constexpr std::int64_t kSmallestTileScores = 24;
// Threads claim items one by one, so several each even out their lengths.
constexpr std::int64_t kItemsPerThread = 4;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

std::int64_t kv_heads(const AttentionArgs& args) {
  return args.cache->keys.size(1);
}

std::int64_t count_tiles(const AttentionArgs& args, std::int64_t tile_rows) {
  std::int64_t tiles = 0;
  for (const SequenceSlice& slice : args.view.slices) tiles += ceil_div(slice.rows, tile_rows);
  return tiles * kv_heads(args);
}

// Tiles of one slice, each over the same number of items.
struct SliceItems {
  std::int64_t tiles;  // of one KV head
  std::int64_t spans;
  std::int64_t items_per_tile;
};

SliceItems items_of(const SequenceSlice& slice, const AttentionPlan& plan) {
  const std::int64_t spans = attention_spans(slice.context);
  return {.tiles = ceil_div(slice.rows, plan.tile_rows),
          .spans = spans,
          .items_per_tile = plan.spans_per_item == 0 ? 1 : ceil_div(spans, plan.spans_per_item)};
}

void choose_tiles(AttentionPlan& plan, const AttentionArgs& args, std::int64_t group, int threads) {
  const std::int64_t wanted = kItemsPerThread * threads;
  plan.tile_rows = std::max<std::int64_t>(1, kTileScores / group);
  while (count_tiles(args, plan.tile_rows) < wanted && plan.tile_rows * group > kSmallestTileScores) {
    plan.tile_rows = (plan.tile_rows + 1) / 2;
    if (plan.tile_rows == 1) break;
  }
  std::int64_t most_rows = 0;
  std::int64_t spans = 0;  // summed over tiles
  for (const SequenceSlice& slice : args.view.slices) {
    most_rows = std::max<std::int64_t>(most_rows, slice.rows);
    spans += kv_heads(args) * items_of(slice, plan).tiles * items_of(slice, plan).spans;
  }
  plan.tile_rows = std::max<std::int64_t>(1, std::min(plan.tile_rows, most_rows));
  const bool few_rows = most_rows * group <= std::max(group, kSmallestTileScores);
  if (threads > 1 && few_rows && count_tiles(args, plan.tile_rows) < wanted) {
    plan.spans_per_item = std::max<std::int64_t>(1, ceil_div(spans, wanted));
  }
}

void size_memory(AttentionPlan& plan, std::int64_t group, std::int64_t head_size) {
  const std::int64_t rows = plan.tile_rows * group;
  plan.padded_head = ceil_div(head_size, 16) * 16;
  plan.padded_rows = ceil_div(rows, 16) * 16 + 16;
  plan.span_floats = 2 * plan.padded_rows + rows * plan.padded_head;
  plan.packed_q_floats = ceil_div(rows, kAttentionBlockRows) * kAttentionBlockRows * plan.padded_head;
  plan.gathered_floats = kAttentionSpan * plan.padded_head;
  plan.scores_floats = rows * kAttentionSpan;
  // The running state has the form of one span's results and two factors a row.
  plan.scratch_floats = plan.packed_q_floats + 2 * plan.gathered_floats + plan.scores_floats + 2 * plan.span_floats +
                        2 * plan.padded_rows;
}

}  // namespace

std::int64_t attention_spans(std::int64_t positions) {
  return ceil_div(positions, kAttentionSpan);
}

AttentionPlan plan_attention(const AttentionArgs& args, int threads) {
  const std::int64_t group = args.heads / kv_heads(args);
  AttentionPlan plan;
  choose_tiles(plan, args, group, threads);
  size_memory(plan, group, args.cache->keys.size(2));
  for (const SequenceSlice& slice : args.view.slices) {
    const SliceItems of = items_of(slice, plan);
    const std::int64_t tiles = of.tiles * kv_heads(args);
    plan.tiles += tiles;
    plan.items += tiles * of.items_per_tile;
    if (plan.spans_per_item != 0) plan.split_floats += tiles * of.spans * plan.span_floats;
  }
  return plan;
}

AttentionItem attention_item(const AttentionArgs& args, const AttentionPlan& plan, std::int64_t item) {
  AttentionItem out;
  for (const SequenceSlice& slice : args.view.slices) {
    const SliceItems of = items_of(slice, plan);
    const std::int64_t tiles = of.tiles * kv_heads(args);
    if (item >= tiles * of.items_per_tile) {
      item -= tiles * of.items_per_tile;
      out.split_offset += tiles * of.spans * plan.span_floats;
      ++out.slice;
      continue;
    }
    // Later rows see more positions: the longest tiles start first.
    const std::int64_t tile = of.tiles - 1 - item / (kv_heads(args) * of.items_per_tile);
    out.kv_head = item / of.items_per_tile % kv_heads(args);
    out.first_row = tile * plan.tile_rows;
    out.rows = std::min(plan.tile_rows, slice.rows - out.first_row);
    const std::int64_t spans = attention_spans(slice.context - slice.rows + out.first_row + out.rows);
    out.first_span = item % of.items_per_tile * plan.spans_per_item;
    out.last_span = plan.spans_per_item == 0 ? spans : std::min(spans, out.first_span + plan.spans_per_item);
    out.split_offset += (tile * kv_heads(args) + out.kv_head) * of.spans * plan.span_floats;
    break;
  }
  return out;
}

AttentionItem attention_tile(const AttentionArgs& args, const AttentionPlan& plan, std::int64_t tile) {
  AttentionPlan whole = plan;
  whole.spans_per_item = 0;
  return attention_item(args, whole, tile);
}

}  // namespace ridge
