#include "ops/rms_norm/cpu.h"

#include <immintrin.h>

#include <cmath>

namespace ridge {
namespace {

#include "device/cpu/simd_avx2.inc"
#include "ops/rms_norm/cpu_kernel.inc"

}  // namespace

void rms_norm_row_avx2(const float* x, const float* weight, float eps, std::int64_t channels, float* y) {
  rms_norm_row(x, weight, eps, channels, y);
}

}  // namespace ridge
