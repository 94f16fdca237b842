#include "ops/kv_append/cpu.h"

#include "core/half.h"

#include <bit>
#include <cmath>

namespace ridge {
namespace {

#include "device/cpu/simd_portable.inc"
#include "ops/kv_append/cpu_kernel.inc"

}  // namespace

void kv_append_position_portable(const KvPosition& position) {
  kv_append_position(position);
}

}  // namespace ridge
