// How a step's attention is cut into work items, and the memory they need. The cut changes no result.
#pragma once

#include "ops/attention/attention.h"

namespace ridge {

// A tile is some rows of one slice under one KV head, with all G query heads of its group: rows * G rows of scores. An
// item is a tile over some of its spans. Where an item has all spans, it merges them as it goes; where decode rows with
// long contexts are too few tiles for the threads, their spans are split over items, each leaves its spans' results in
// memory, and a second pass merges these in the same order.
struct AttentionPlan {
  std::int64_t tile_rows = 1;
  std::int64_t spans_per_item = 0;  // 0: all of a tile
  std::int64_t items = 0;
  std::int64_t tiles = 0;  // items of the second pass

  // In floats.
  std::int64_t padded_head = 0;      // D rounded up to 16
  std::int64_t padded_rows = 0;      // rows of scores of a tile, with room for a vector from any row on
  std::int64_t span_floats = 0;      // results of one tile and span: largest scores, sums, outputs
  std::int64_t packed_q_floats = 0;  // the parts of a thread's scratch
  std::int64_t gathered_floats = 0;  // keys, and values as much
  std::int64_t scores_floats = 0;
  std::int64_t scratch_floats = 0;  // all of a thread's
  std::int64_t split_floats = 0;    // results of all tiles and spans, where split
};

AttentionPlan plan_attention(const AttentionArgs& args, int threads);

// Rows of scores that a register block holds; a tile's packed queries are grouped by it.
inline constexpr std::int64_t kAttentionBlockRows = 6;

// Spans that the first `positions` positions reach into.
std::int64_t attention_spans(std::int64_t positions);

// One item, or one tile of the second pass.
struct AttentionItem {
  std::size_t slice = 0;
  std::int64_t kv_head = 0;
  std::int64_t first_row = 0;  // of the slice
  std::int64_t rows = 0;
  std::int64_t first_span = 0;
  std::int64_t last_span = 0;     // exclusive; may be at or below first_span: nothing to do
  std::int64_t split_offset = 0;  // of the tile's span 0 in the split results
};
AttentionItem attention_item(const AttentionArgs& args, const AttentionPlan& plan, std::int64_t item);
AttentionItem attention_tile(const AttentionArgs& args, const AttentionPlan& plan, std::int64_t tile);

}  // namespace ridge
