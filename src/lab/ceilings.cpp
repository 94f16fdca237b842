#include "lab/ceilings.h"

#include "core/clock.h"
#include "lab/rates.h"

#include <algorithm>
#include <cmath>

namespace ridge {
namespace {

constexpr double kSampleSeconds = 2e-3;

// A rate that is sampled again and again; `best` keeps its maximum.
struct Probe {
  double* best;
  std::function<double()> sample;
};

// Doubling, in half steps from 2 MiB on: there caches end, and models lie there.
std::vector<BandwidthPoint> empty_curve(int threads, double largest) {
  constexpr double kHalfStepsFrom = 2 << 20;
  std::vector<BandwidthPoint> curve;
  for (double footprint = smallest_footprint(threads); footprint < largest * 1.01;
       footprint *= footprint < kHalfStepsFrom ? 2 : std::sqrt(2)) {
    curve.push_back({std::round(footprint / 65536) > 32 ? std::round(footprint / 65536) * 65536 : footprint, 0});
  }
  return curve;
}

using SampleRate = double (*)(ThreadPool&, const Tensor&, double, double);

void add_curve(std::vector<Probe>& probes, std::vector<BandwidthPoint>& curve, ThreadPool& pool, const Tensor& memory,
               SampleRate sample) {
  for (BandwidthPoint& point : curve) {
    probes.push_back({&point.bytes_per_s, [&pool, &memory, &point, sample] {
                        return sample(pool, memory, point.footprint_bytes, kSampleSeconds);
                      }});
  }
}

void run_rounds(const std::vector<Probe>& probes, const CeilingOptions& options) {
  const SteadyClock clock;
  const double start = clock.now();
  bool first = true;
  do {
    for (std::size_t i = 0; i < probes.size(); ++i) {
      *probes[i].best = std::max(*probes[i].best, probes[i].sample());
      const double elapsed = clock.now() - start;
      if (!first && elapsed > options.budget_s) break;
      if (options.progress) {
        const double round = static_cast<double>(i + 1) / static_cast<double>(probes.size());
        options.progress(
            std::clamp(first ? std::min(round, elapsed / options.budget_s) : elapsed / options.budget_s, 0.0, 1.0));
      }
    }
    first = false;
  } while (clock.now() - start < options.budget_s);
}

// The best of the path's instruction sets; bf16 is multiplied as f32 where no path has instructions for it.
std::array<double, kArithmetics> path_ceilings(const std::vector<Peak>& loops, const MachineModel& machine) {
  std::array<double, kArithmetics> ceilings{};
  for (const Peak& peak : loops) {
    if (!peak.path || *peak.path > cpu_path()) continue;
    double& ceiling = ceilings[static_cast<std::size_t>(peak.type)];
    ceiling = std::max(ceiling, machine.peaks.at(peak.name));
  }
  double& bf16 = ceilings[static_cast<std::size_t>(Arithmetic::bf16)];
  bf16 = std::max(bf16, ceilings[static_cast<std::size_t>(Arithmetic::f32)]);
  return ceilings;
}

}  // namespace

void raise_to_later(std::vector<BandwidthPoint>& curve) {
  double best = 0;
  for (auto point = curve.rbegin(); point != curve.rend(); ++point) {
    best = std::max(best, point->bytes_per_s);
    point->bytes_per_s = best;
  }
}

void measure_ceilings(MachineModel& machine, Device& device, const CeilingOptions& options) {
  const double largest = std::min(options.largest_footprint, static_cast<double>(physical_memory_bytes()) / 8);
  const Tensor memory = make_loop_memory(device, static_cast<std::size_t>(largest) + kLoopBytes * 1024);
  ThreadPool& pool = device.pool();
  ThreadPool single(1);
  machine.read_curve = machine.copy_curve = empty_curve(pool.threads(), largest);
  machine.single_read_curve = machine.single_copy_curve = empty_curve(1, largest);
  std::vector<Probe> probes;
  add_curve(probes, machine.read_curve, pool, memory, sample_read_rate);
  add_curve(probes, machine.copy_curve, pool, memory, sample_copy_rate);
  add_curve(probes, machine.single_read_curve, single, memory, sample_read_rate);
  add_curve(probes, machine.single_copy_curve, single, memory, sample_copy_rate);
  const std::vector<Peak> loops = peak_loops();
  for (const Peak& peak : loops) {
    probes.push_back(
        {&machine.peaks[peak.name], [&pool, &peak] { return sample_peak(pool, peak.run, kSampleSeconds); }});
  }
  double fork_joins_per_s = 0;
  probes.push_back({&fork_joins_per_s, [&pool] { return 1 / sample_fork_join(pool); }});
  run_rounds(probes, options);
  for (auto* curve :
       {&machine.read_curve, &machine.copy_curve, &machine.single_read_curve, &machine.single_copy_curve}) {
    raise_to_later(*curve);
  }
  machine.operations_per_s = path_ceilings(loops, machine);
  machine.fork_join_s = 1 / fork_joins_per_s;
}

}  // namespace ridge
