// A measured machine: ceilings, and the efficiencies of isolated operators. What predictions stand on.
#pragma once

#include "core/json.h"
#include "device/cost.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ridge {

// Bandwidth of cyclic reads over a footprint with all of the model's threads: caches are why it is a curve.
struct BandwidthPoint {
  double footprint_bytes = 0;
  double bytes_per_s = 0;
};

// Seconds that an isolated operator's compulsory work takes at the ceilings, over the seconds it was measured to take.
struct EfficiencyPoint {
  double rows = 1;
  double size = 1;
  double footprint_bytes = 0;  // what the measurement cycled over
  double efficiency = 0;
};

struct MachineModel {
  std::string name;  // "AMD EPYC 7763, 2 threads"
  std::string cpu;   // as the CPU calls itself
  std::vector<std::string> features;
  std::string path;  // the CPU path that was measured
  int threads = 1;
  double memory_bytes = 0;
  std::vector<BandwidthPoint> read_curve;                            // ascending footprint
  std::vector<BandwidthPoint> copy_curve;                            // bytes read plus bytes written
  std::array<double, kArithmetics> operations_per_s{};               // ceilings of register-only loops, by Arithmetic
  double fork_join_s = 0;                                            // one parallel_for over as many items as threads
  double host_step_s = 0;                                            // engine work per step, outside operators
  double host_token_s = 0;                                           // and per token sampled
  std::map<std::string, std::vector<EfficiencyPoint>> efficiencies;  // by ShapeClass::variant

  // Bytes per second where `footprint_bytes` were touched since the last use; interpolated in the logarithm, flat
  // outside.
  [[nodiscard]] double read_rate(double footprint_bytes) const;

  // Interpolated between measured points in the logarithms of rows, size and footprint, flat outside.
  // nullopt: the variant was never measured here ("uncalibrated").
  [[nodiscard]] std::optional<double> efficiency(const ShapeClass& shape, double footprint_bytes) const;

  // Every field checked: a file from another machine is input from outside. Throws Error naming field, rule and value.
  static MachineModel from_json(const Json& json, const std::string& what);
  [[nodiscard]] Json to_json() const;
};

}  // namespace ridge
