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

// Bandwidth of cyclic accesses to a footprint: caches are why it is a curve.
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

// How fast the machine is at the moment, as shares of its ceilings: others may use it too.
struct RateNow {
  double memory = 1;      // of the read curve where it leaves the caches
  double arithmetic = 1;  // of operations_per_s
};

struct MachineModel {
  std::string name;  // "AMD EPYC 7763, 2 threads"
  std::string cpu;   // as the CPU calls itself
  std::vector<std::string> features;
  std::string path;  // the CPU path that was measured
  int threads = 1;
  double memory_bytes = 0;
  std::vector<BandwidthPoint> read_curve;  // all of the model's threads, each reading its part; ascending footprint
  std::vector<BandwidthPoint> copy_curve;  // bytes read plus bytes written
  std::vector<BandwidthPoint> single_read_curve;  // one thread
  std::vector<BandwidthPoint> single_copy_curve;
  std::array<double, kArithmetics> operations_per_s{};               // ceilings of the path, by Arithmetic
  std::map<std::string, double> peaks;                               // operations/s by loop: "i8 avx512_vnni"
  double fork_join_s = 0;                                            // one parallel_for over as many items as threads
  double host_step_s = 0;                                            // engine work per step, outside operators
  double host_token_s = 0;                                           // and per token sampled
  std::map<std::string, std::vector<EfficiencyPoint>> efficiencies;  // by ShapeClass::variant
  RateNow now;                                                       // not part of the file

  // Bytes per second where `footprint_bytes` were touched since the last use; interpolated in the logarithms, flat
  // outside.
  [[nodiscard]] double read_rate(double footprint_bytes) const;

  // The same at the present rate: `now` counts in full where the curve has left the caches, not at all inside them.
  [[nodiscard]] double read_rate_now(double footprint_bytes) const;

  // Interpolated between measured points in the logarithms of rows, size and read rate of the footprint, flat outside.
  // nullopt: the variant was never measured here ("uncalibrated").
  [[nodiscard]] std::optional<double> efficiency(const ShapeClass& shape, double footprint_bytes) const;

  // Every field checked: a file from another machine is input from outside. Throws Error naming field, rule and value.
  static MachineModel from_json(const Json& json, const std::string& what);
  [[nodiscard]] Json to_json() const;
};

}  // namespace ridge
