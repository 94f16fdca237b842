// How fast the machine is at this moment, and who else uses it.
#pragma once

#include "device/device.h"

namespace ridge {

// Where the read curve has left the caches: far enough that reads come from memory.
double memory_footprint(const MachineModel& machine);

// The largest footprint that still reads at cache speed (a LLC-resident model's).
double cache_footprint(const MachineModel& machine);

// Reads memory and computes in registers now, and says how fast beside the ceilings. Keeps its memory between calls.
class RateProbe {
 public:
  // `device` is a CPU device of the machine's threads. Both stay alive.
  RateProbe(const MachineModel& machine, Device& device);

  struct Rates {
    double read_bytes_per_s = 0;
    double i8_operations_per_s = 0;
  };
  // Takes about `seconds` (at least what one walk over memory takes).
  Rates sample(double seconds);
  // The best of samples as shares of the ceilings, at most 1.
  RateNow now(double seconds);

  [[nodiscard]] double footprint_bytes() const { return footprint_; }

 private:
  const MachineModel& machine_;
  Device& device_;
  double footprint_;
  Tensor memory_;
};

// Shares of the ceilings, at most 1.
RateNow shares(const MachineModel& machine, const RateProbe::Rates& rates, double footprint_bytes);

// Running maximum: lifts the curve and the ceilings of the path to rates that were seen. True if anything rose.
bool raise_ceilings(MachineModel& machine, const RateProbe::Rates& rates, double footprint_bytes);

// Counts processor time of this process and of everybody else between two moments.
class Interference {
 public:
  Interference();
  // Share of the machine's processor time since construction that others used (stolen time included), in [0, 1].
  [[nodiscard]] double others() const;

 private:
  struct Times {
    double busy_s = 0;
    double own_s = 0;
    double now_s = 0;
  };
  static Times read();
  Times start_;
};

// Involuntary context switches of this process so far: a sample in which they grow was disturbed.
long involuntary_switches();

}  // namespace ridge
