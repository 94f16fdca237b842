#include "ops/silu_mul/cpu.h"

#include "core/half.h"

#include <bit>
#include <cmath>

namespace ridge {
namespace {

#include "device/cpu/simd_portable.inc"
#include "ops/silu_mul/cpu_kernel.inc"

}  // namespace

void silu_mul_run_portable(const float* gate, const float* up, std::int64_t count, float* y) {
  silu_mul_run(gate, up, count, y);
}

}  // namespace ridge
