#include "ops/kv_append/cpu.h"

#include <immintrin.h>

namespace ridge {
namespace {

#include "device/cpu/simd_avx512.inc"
#include "ops/kv_append/cpu_kernel.inc"

}  // namespace

void kv_append_position_avx512(const KvPosition& position) {
  kv_append_position(position);
}

}  // namespace ridge
