// Efficiencies of isolated operators, measured over their calibration cases; never on a model.
#pragma once

#include "lab/ceilings.h"
#include "ops/case.h"

#include <span>

namespace ridge {

struct CalibrationOptions {
  double budget_s = 8;  // a point gets its share of it, but never less than a few calls
  ProgressCallback progress = nullptr;
};

// Fills `machine.efficiencies` with the cases tagged kCalibrationCase, on a CPU device of the machine's threads. A case
// whose operand of most bytes stays put is measured three times: on operands that fit near the cores, on sets that just
// fit the last cache, and on sets that come from memory. Efficiencies are relative to the rates at the moment of
// measurement, which are read beside each point. Needs the machine's ceilings; lifts them where they are beaten.
void calibrate(MachineModel& machine, Device& device, std::span<const OpInfo> operators,
               const CalibrationOptions& options = {});

// Host work of a step and of a token outside operators: scheduler and greedy sampler alone.
void calibrate_host(MachineModel& machine);

// |predicted / measured - 1| of each point of `variant` when the others predict it.
std::vector<double> leave_one_out_errors(const MachineModel& machine, const std::string& variant);

}  // namespace ridge
