#include "lab/probe.h"

#include "core/clock.h"
#include "lab/ceilings.h"
#include "lab/rates.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace ridge {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// Half way in the logarithm between cache and memory.
double edge_rate(const MachineModel& machine) {
  return std::sqrt(machine.read_rate(4 << 20) * machine.read_curve.back().bytes_per_s);
}

PeakLoop fastest_i8(const MachineModel& machine) {
  PeakLoop best = nullptr;
  double rate = 0;
  for (const Peak& peak : peak_loops()) {
    const auto measured = machine.peaks.find(peak.name);
    if (peak.type != Arithmetic::i8 || !peak.path || *peak.path > cpu_path()) continue;
    const double seen = measured == machine.peaks.end() ? 1 : measured->second;
    if (seen <= rate) continue;
    rate = seen;
    best = peak.run;
  }
  return best;
}

}  // namespace

double memory_footprint(const MachineModel& machine) {
  const double edge = edge_rate(machine);
  for (const BandwidthPoint& point : machine.read_curve) {
    if (point.bytes_per_s <= edge) {
      const double most = std::min(256.0 * (1 << 20), machine.read_curve.back().footprint_bytes);
      return std::min(most, std::max(64.0 * (1 << 20), 2 * point.footprint_bytes));
    }
  }
  return machine.read_curve.back().footprint_bytes;
}

double cache_footprint(const MachineModel& machine) {
  double footprint = machine.read_curve.front().footprint_bytes;
  for (const BandwidthPoint& point : machine.read_curve) {
    if (point.bytes_per_s > 0.9 * machine.read_rate(4 << 20)) footprint = point.footprint_bytes;
  }
  return footprint;
}

RateProbe::RateProbe(const MachineModel& machine, Device& device)
    : machine_(machine),
      device_(device),
      footprint_(memory_footprint(machine)),
      memory_(make_loop_memory(device, static_cast<std::size_t>(footprint_) + kLoopBytes)) {}

RateProbe::Rates RateProbe::sample(double seconds) {
  const SteadyClock clock;
  const double start = clock.now();
  const PeakLoop i8 = fastest_i8(machine_);
  Rates best;
  do {
    best.read_bytes_per_s =
        std::max(best.read_bytes_per_s, sample_read_rate(device_.pool(), memory_, footprint_, seconds / 8));
    best.i8_operations_per_s = std::max(best.i8_operations_per_s, sample_peak(device_.pool(), i8, seconds / 8));
  } while (clock.now() - start < 0.8 * seconds);
  return best;
}

RateNow RateProbe::now(double seconds) {
  return shares(machine_, sample(seconds), footprint_);
}

RateNow shares(const MachineModel& machine, const RateProbe::Rates& rates, double footprint_bytes) {
  const double i8 = machine.operations_per_s[static_cast<std::size_t>(Arithmetic::i8)];
  return {std::min(1.0, rates.read_bytes_per_s / machine.read_rate(footprint_bytes)),
          std::min(1.0, rates.i8_operations_per_s / i8)};
}

bool raise_ceilings(MachineModel& machine, const RateProbe::Rates& rates, double footprint_bytes) {
  double& i8 = machine.operations_per_s[static_cast<std::size_t>(Arithmetic::i8)];
  const double read_share = rates.read_bytes_per_s / machine.read_rate(footprint_bytes);
  bool raised = false;
  if (read_share > 1) {
    for (BandwidthPoint& point : machine.read_curve) {
      if (point.footprint_bytes >= footprint_bytes) point.bytes_per_s *= read_share;
    }
    raise_to_later(machine.read_curve);
    raised = true;
  }
  if (rates.i8_operations_per_s > i8) {
    i8 = rates.i8_operations_per_s;
    raised = true;
  }
  return raised;
}

Interference::Interference() : start_(read()) {}

Interference::Times Interference::read() {
  Times times;
  times.now_s = SteadyClock().now();
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  times.own_s = seconds_of(use.ru_utime) + seconds_of(use.ru_stime);
  std::ifstream stat("/proc/stat");
  std::string label;
  stat >> label;
  const double tick = 1 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  double ticks = 0;
  for (int column = 0; column < 8 && stat >> ticks; ++column) {
    const bool idle = column == 3 || column == 4;  // idle, waiting for a disk
    if (!idle) times.busy_s += ticks * tick;
  }
  return times;
}

double Interference::others() const {
  const Times end = read();
  const double capacity = (end.now_s - start_.now_s) * static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN));
  if (capacity <= 0) return 0;
  return std::clamp((end.busy_s - start_.busy_s - (end.own_s - start_.own_s)) / capacity, 0.0, 1.0);
}

long involuntary_switches() {
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  return use.ru_nivcsw;
}

}  // namespace ridge
