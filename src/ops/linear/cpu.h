// The CPU paths of linear.
#pragma once

#include "ops/linear/linear.h"
#include "ops/linear/packed.h"

namespace ridge {

// The quantised input: x = scale * q in groups of 32, scale = max |x| / 127. Rows come in panels of four (fewer in the
// last), which a kernel reads from front to back: for each group, the int8 of every row, the rows' scales, their scaled
// sums (scale times the sum of q, f32) and their sums of q (i32). So the panel of row t starts t rows into the memory.
inline constexpr std::int64_t kPanelRows = 4;
inline constexpr std::int64_t kQuantisedGroupBytes = kGroupElements + 12;  // of one row

constexpr std::int64_t quantised_row_bytes(std::int64_t k) {
  return k / kGroupElements * kQuantisedGroupBytes;
}

// Rows [first, end) of an input against sixteen rows of a weight. `first` is a multiple of kPanelRows.
struct LinearTile {
  Format format;
  std::int64_t k;
  const std::byte* weights;    // one packed block of rows
  const float* x;              // [T, K], for float formats
  const std::byte* quantised;  // panels of all T rows, for block formats
  std::int64_t first, end;
  float* y;               // y[0, n0] of [T, N]
  std::int64_t y_stride;  // N
  std::int64_t lanes;     // outputs of this block that exist: 1 to 16
  const float* bias;      // [n0 ..] or null
  const float* residual;  // residual[0, n0] of [T, N], or null
};

using LinearTileFunction = void (*)(const LinearTile&);
void linear_tile_portable(const LinearTile& tile);
void linear_tile_avx2(const LinearTile& tile);
void linear_tile_avx512(const LinearTile& tile);

// Quantises one panel: 1 to kPanelRows rows of x with k columns, a multiple of 32.
using QuantisePanelFunction = void (*)(const float* x, std::int64_t k, std::int64_t rows, std::byte* panel);
void quantise_panel_portable(const float* x, std::int64_t k, std::int64_t rows, std::byte* panel);
void quantise_panel_avx2(const float* x, std::int64_t k, std::int64_t rows, std::byte* panel);
void quantise_panel_avx512(const float* x, std::int64_t k, std::int64_t rows, std::byte* panel);

// For the quantised rows of x; 0 when every weight is of a float format.
std::int64_t linear_workspace_bytes(const LinearArgs& args);

// `workspace` has linear_workspace_bytes, or is undefined when they are 0.
void linear_cpu(ThreadPool& pool, const LinearArgs& args, const Tensor& workspace, const LinearOutputs& y);

}  // namespace ridge
