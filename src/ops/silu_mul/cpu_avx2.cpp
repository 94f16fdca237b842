#include "ops/silu_mul/cpu.h"

#include <immintrin.h>

namespace ridge {
namespace {

#include "device/cpu/simd_avx2.inc"
#include "ops/silu_mul/cpu_kernel.inc"

}  // namespace

void silu_mul_run_avx2(const float* gate, const float* up, std::int64_t count, float* y) {
  silu_mul_run(gate, up, count, y);
}

}  // namespace ridge
