// The ceilings of this machine: the best rate ever seen, of the best of several loops.
#pragma once

#include "device/device.h"

#include <functional>

namespace ridge {

using ProgressCallback = std::function<void(double fraction)>;

struct CeilingOptions {
  double budget_s = 6;                   // at least one round is made, however long it takes
  double largest_footprint = 512 << 20;  // or an eighth of the machine's memory
  ProgressCallback progress = nullptr;
};

// Fills curves, peaks, operations_per_s and fork_join_s of `machine` for the threads of `device` (a CPU device). All
// rates are sampled in turn, round after round, so that a disturbance costs each of them a sample and none its best.
void measure_ceilings(MachineModel& machine, Device& device, const CeilingOptions& options = {});

// Reading a part of a footprint cannot be slower than reading all of it: each point rises to the best behind it.
void raise_to_later(std::vector<BandwidthPoint>& curve);

}  // namespace ridge
