#include "ops/rope/cpu.h"

#include <immintrin.h>

namespace ridge {
namespace {

#include "device/cpu/simd_avx512.inc"
#include "ops/rope/cpu_kernel.inc"

}  // namespace

void rope_row_avx512(const RopeRow& row) {
  rope_row(row);
}

}  // namespace ridge
