// The virtual device's accounts: what a program's calls take at a measured machine's ceilings and efficiencies.
#pragma once

#include "device/cost.h"
#include "device/machine_model.h"

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

namespace ridge {

// Seconds of compulsory work by resource; the largest is the bound of the program that did it.
struct ResourceTime {
  double memory_s = 0;
  std::array<double, kArithmetics> arithmetic_s{};

  void add(const ResourceTime& other);
  [[nodiscard]] double bound_s() const;
  // "memory", "f32", "bf16" or "i8".
  [[nodiscard]] const char* limiter() const;
};

// How many bytes were touched since a tensor's last use: the footprint at whose rate its bytes are charged.
class ReuseDistance {
 public:
  // Counts the touch and says the distance, itself included; infinity for a first use. Touches without a key (results
  // in memory that was just given back) are near.
  double touch(const Touch& touch);

 private:
  double touched_bytes_ = 0;
  std::unordered_map<const void*, double> last_use_;
};

// One call as charged.
struct Charge {
  ResourceTime least;
  double expected_s = 0;   // never below the bound
  double footprint = 0;    // bytes touched since the last use of the call's largest operand
  bool calibrated = true;  // false: the machine has no efficiency for the variant; expected_s is then the bound
};

// Virtual time: a host clock and one per stream. On a CPU there is one stream, the host waits for each launch and the
// two clocks are one.
class Timeline {
 public:
  explicit Timeline(const MachineModel& machine) : machine_(machine) {}

  // What a call would take, and what it touches; moves no clock.
  Charge weigh(const OpCall& call);
  // Weighs one call and moves the clocks.
  Charge charge(const OpCall& call);
  // Work of the host outside operators.
  void host(double seconds) { host_s_ += seconds; }

  [[nodiscard]] double now() const { return host_s_; }
  // Compulsory work of everything charged since the last take; the program's bound over any stretch.
  ResourceTime take_least();
  // Variants charged without a measured efficiency.
  [[nodiscard]] const std::vector<std::string>& uncalibrated() const { return uncalibrated_; }

 private:
  const MachineModel& machine_;
  ReuseDistance reuse_;
  ResourceTime least_;
  double host_s_ = 0;
  std::vector<std::string> uncalibrated_;
};

}  // namespace ridge
