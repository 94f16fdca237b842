#include "ops/linear/cpu.h"

#include <immintrin.h>

#include <cmath>

namespace ridge {
namespace {

#include "device/cpu/simd_avx2.inc"

#include "device/cpu/simd_dot_avx2.inc"

#include "ops/linear/cpu_kernel.inc"

}  // namespace

void linear_tile_avx2(const LinearTile& tile) {
  linear_tile(tile);
}

void quantise_row_avx2(const float* x, std::int64_t k, std::int64_t t, const QuantisedRows& out) {
  quantise_row(x, k, t, out);
}

}  // namespace ridge
