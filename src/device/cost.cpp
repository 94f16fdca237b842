#include "device/cost.h"

#include "core/error.h"

namespace ridge {

double Work::bytes() const {
  double sum = 0;
  for (int i = 0; i < touch_count; ++i) sum += touches[static_cast<std::size_t>(i)].bytes;
  return sum;
}

void Work::touch(const Touch& touch) {
  if (touch.bytes == 0) return;
  require(touch_count < kMaxTouches, "cost: more than {} tensors in one call", kMaxTouches);
  touches[static_cast<std::size_t>(touch_count++)] = touch;
}

}  // namespace ridge
