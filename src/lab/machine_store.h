// The measured machine: made once, kept in the user's cache, loaded before every prediction.
#pragma once

#include "device/machine_model.h"
#include "lab/ceilings.h"

#include <optional>
#include <string>

namespace ridge {

// This machine as far as it can be said without measuring: names, features, path, threads, memory.
MachineModel describe_machine(int threads);

// Ceilings, host costs and efficiencies of this machine with that many threads, in about `budget_s`.
MachineModel measure_machine(int threads, double budget_s = 14, const ProgressCallback& progress = nullptr);

// Where the machine with that many threads is kept: the name holds CPU model, a hash of its features, path and threads,
// so that another CPU, a forced path or other threads find no wrong file.
std::string machine_file(int threads);

// The kept machine, or none and in `why_not` one line that says why ("not measured yet", or what is wrong with the
// file).
std::optional<MachineModel> load_machine(int threads, std::string& why_not);

// A machine file from anywhere. Throws Error when it is not good.
MachineModel read_machine(const std::string& path);

// Writes atomically, making folders. Throws Error and leaves nothing behind on failure.
void save_machine(const MachineModel& machine, const std::string& path);

// Ceilings only rise: the larger of both, point by point where the curves have the same points.
void keep_best(MachineModel& machine, const MachineModel& earlier);

}  // namespace ridge
