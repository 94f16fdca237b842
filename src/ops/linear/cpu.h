// The CPU paths of linear.
#pragma once

#include "ops/linear/linear.h"
#include "ops/linear/packed.h"

namespace ridge {

// Rows of the input quantised to int8 in groups of 32: x = scale * q with scale = max |x| / 127.
struct QuantisedRows {
  std::int8_t* q;     // [T, K]
  float* scale;       // [T, K / 32]; NaN where the group holds a value that is not finite
  float* scaled_sum;  // [T, K / 32]: scale times the sum of q, as floats
  std::int32_t* sum;  // [T, K / 32]: the sum of q
};

// Rows [first, end) of an input against sixteen rows of a weight.
struct LinearTile {
  Format format;
  std::int64_t k;
  const std::byte* weights;  // one packed block of rows
  const float* x;            // [T, K], for float formats
  QuantisedRows quantised;   // for block formats
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

// Quantises row t of x (k columns, a multiple of 32).
using QuantiseRowFunction = void (*)(const float* x, std::int64_t k, std::int64_t t, const QuantisedRows& out);
void quantise_row_portable(const float* x, std::int64_t k, std::int64_t t, const QuantisedRows& out);
void quantise_row_avx2(const float* x, std::int64_t k, std::int64_t t, const QuantisedRows& out);
void quantise_row_avx512(const float* x, std::int64_t k, std::int64_t t, const QuantisedRows& out);

// For the quantised rows of x; 0 when every weight is of a float format.
std::int64_t linear_workspace_bytes(const LinearArgs& args);

// `workspace` has linear_workspace_bytes, or is undefined when they are 0.
void linear_cpu(ThreadPool& pool, const LinearArgs& args, const Tensor& workspace, const LinearOutputs& y);

}  // namespace ridge
