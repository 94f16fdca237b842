#include "ops/linear/cpu.h"

#include "core/half.h"

#include <bit>
#include <cmath>
#include <utility>

namespace ridge {
namespace {

#include "device/cpu/simd_portable.inc"

#include "device/cpu/simd_dot_portable.inc"

#include "ops/linear/cpu_kernel.inc"

}  // namespace

void linear_tile_portable(const LinearTile& tile) {
  linear_tile(tile);
}

void quantise_panel_portable(const float* x, std::int64_t k, std::int64_t rows, std::byte* panel) {
  quantise_panel(x, k, rows, panel);
}

}  // namespace ridge
