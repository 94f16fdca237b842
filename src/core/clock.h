// Time comes through a Clock, so that a program runs unchanged on virtual time.
#pragma once

#include <cstdint>

namespace ridge {

class Clock {
 public:
  virtual ~Clock() = default;
  // Seconds since some fixed start; never goes back.
  [[nodiscard]] virtual double now() const = 0;
};

// The machine's monotonic clock.
class SteadyClock final : public Clock {
 public:
  [[nodiscard]] double now() const override;
};

}  // namespace ridge
