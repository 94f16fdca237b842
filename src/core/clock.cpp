#include "core/clock.h"

#include <chrono>

namespace ridge {

double SteadyClock::now() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace ridge
