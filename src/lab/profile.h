// Where the time of a prefill and of decode steps goes, operator by operator.
#pragma once

#include "lab/predict.h"

#include <string>
#include <vector>

namespace ridge {

struct ProfilePhase {
  Phase phase;
  double measured_s = 0;      // of the whole phase
  double bound_s = 0;         // of the whole phase
  std::vector<OpRow> rows;    // longest first, and last "host": what is outside operators
  std::vector<OpSpan> spans;  // on the device's clock
};

struct Profile {
  std::string machine;
  std::string model;
  std::vector<ProfilePhase> phases;
};

// Runs on `device`, where `model` is loaded; each phase once after a warm-up.
Profile profile(const MachineModel& machine, Device& device, const Model& model, const std::string& model_name,
                const std::vector<Phase>& phases, DType kv_dtype);

Json to_json(const Profile& profile);
// Per phase: calls, measured, expected, bound, share of the gap (measured - bound).
std::string to_text(const Profile& profile);

// Chrome's trace event format ("X" events in microseconds), which Perfetto opens.
Json to_trace(const Profile& profile);

}  // namespace ridge
