#include "ops/rms_norm/cpu.h"

#include "core/half.h"

#include <bit>
#include <cmath>

namespace ridge {
namespace {

#include "device/cpu/simd_portable.inc"
#include "ops/rms_norm/cpu_kernel.inc"

}  // namespace

void rms_norm_row_portable(const float* x, const float* weight, float eps, std::int64_t channels, float* y) {
  rms_norm_row(x, weight, eps, channels, y);
}

}  // namespace ridge
