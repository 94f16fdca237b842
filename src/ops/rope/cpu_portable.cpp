#include "ops/rope/cpu.h"

#include "core/half.h"

#include <bit>
#include <cmath>

namespace ridge {
namespace {

#include "device/cpu/simd_portable.inc"
#include "ops/rope/cpu_kernel.inc"

}  // namespace

void rope_row_portable(const RopeRow& row) {
  rope_row(row);
}

}  // namespace ridge
