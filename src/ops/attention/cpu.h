// The CPU paths of attention.
#pragma once

#include "ops/attention/plan.h"

namespace ridge {

struct AttentionMemory {
  Tensor scratch;  // [threads, plan.scratch_floats] f32
  Tensor split;    // [plan.split_floats] f32
  Tensor y;        // [T, H * D] f32
};

// A tile as kernels see it. Row r and head g of the group are row r * group + g of scores.
struct AttentionTile {
  const float* q;           // the first row's first head of the group
  float* y;                 // as q
  std::int64_t row_stride;  // of q and y: H * D
  std::int64_t rows;
  std::int64_t group;     // G
  std::int64_t position;  // of the first row
  float scale;

  const std::byte* keys;  // of this KV head in block 0
  const std::byte* values;
  const std::int32_t* blocks;  // the sequence's block table
  std::int64_t block_size;
  std::int64_t block_stride;  // elements between blocks
  std::int64_t head_size;     // D
  bool f16;                   // else f32

  std::int64_t padded_head;  // see AttentionPlan
  std::int64_t padded_rows;
  std::int64_t span_floats;
  float* packed_q;         // [rows * G / 6, D, 6]
  float* gathered_keys;    // [8, D, 16]: sixteen neighbouring positions side by side
  float* gathered_values;  // [padded_head / 16, 128, 16]
  float* scores;           // [rows * G, 128]
  float* state;            // running results of the spans so far, as one span's
  float* factors;          // [2, padded_rows]
  float* spans;            // one span's results; where split, those of all the tile's spans
  bool split;
};

// Spans [first, last): where split, leaves each span's results in tile.spans, else writes y (first must be 0).
using AttentionSpans = void (*)(const AttentionTile& tile, std::int64_t first, std::int64_t last);
void attention_spans_portable(const AttentionTile& tile, std::int64_t first, std::int64_t last);
void attention_spans_avx2(const AttentionTile& tile, std::int64_t first, std::int64_t last);
void attention_spans_avx512(const AttentionTile& tile, std::int64_t first, std::int64_t last);

// Merges the results of spans [0, spans) in order and writes y.
using AttentionMerge = void (*)(const AttentionTile& tile, std::int64_t spans);
void attention_merge_portable(const AttentionTile& tile, std::int64_t spans);
void attention_merge_avx2(const AttentionTile& tile, std::int64_t spans);
void attention_merge_avx512(const AttentionTile& tile, std::int64_t spans);

struct AttentionPath {
  AttentionSpans spans;
  AttentionMerge merge;
};
inline constexpr AttentionPath kAttentionPortable{attention_spans_portable, attention_merge_portable};
inline constexpr AttentionPath kAttentionAvx2{attention_spans_avx2, attention_merge_avx2};
inline constexpr AttentionPath kAttentionAvx512{attention_spans_avx512, attention_merge_avx512};

void attention_cpu(ThreadPool& pool, const AttentionPath& path, const AttentionArgs& args, const AttentionPlan& plan,
                   const AttentionMemory& memory);

}  // namespace ridge
