// The CPU paths of rope_table and rope.
#pragma once

#include "ops/rope/rope.h"

namespace ridge {

// Sines and cosines come from the C library in double, so one path serves all instruction sets.
void rope_table_cpu(ThreadPool& pool, const RopeTableArgs& args, const Tensor& table);

void rope_cpu(ThreadPool& pool, const RopeArgs& args, const Tensor& y);

// One row: `heads` heads of `head_size` channels, the first 2 * `turned_pairs` of each turned by `table` (cosines, then
// sines). y may be x.
struct RopeRow {
  const float* x;
  const float* table;
  float* y;
  std::int64_t heads;
  std::int64_t head_size;
  std::int64_t turned_pairs;
  RopePairs pairs;
};
using RopeRowFunction = void (*)(const RopeRow& row);
void rope_row_portable(const RopeRow& row);
void rope_row_avx2(const RopeRow& row);
void rope_row_avx512(const RopeRow& row);

}  // namespace ridge
