#include "ops/linear/cpu.h"

#include <immintrin.h>

#include <cmath>
#include <utility>

namespace ridge {
namespace {

#include "device/cpu/simd_avx2.inc"

#include "device/cpu/simd_dot_avx2.inc"

#include "ops/linear/cpu_kernel.inc"

}  // namespace

void linear_tile_avx2(const LinearTile& tile) {
  linear_tile(tile);
}

void quantise_panel_avx2(const float* x, std::int64_t k, std::int64_t rows, std::byte* panel) {
  quantise_panel(x, k, rows, panel);
}

}  // namespace ridge
