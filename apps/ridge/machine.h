// The measured machine that predictions of a verb stand on.
#pragma once

#include "device/machine_model.h"

#include <string>

namespace ridge::app {

// The kept machine with that many threads, or a fresh measurement with a bar, which is then kept.
MachineModel own_machine(int threads);

// `device` is "cpu" (own_machine) or "virtual:FILE". Throws UsageError for anything else.
MachineModel machine_of(const std::string& device, int threads);

// Bandwidth by footprint, arithmetic by type, fork/join: a few lines.
std::string describe_ceilings(const MachineModel& machine);

}  // namespace ridge::app
