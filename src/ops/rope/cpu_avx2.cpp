#include "ops/rope/cpu.h"

#include <immintrin.h>

namespace ridge {
namespace {

#include "device/cpu/simd_avx2.inc"
#include "ops/rope/cpu_kernel.inc"

}  // namespace

void rope_row_avx2(const RopeRow& row) {
  rope_row(row);
}

}  // namespace ridge
