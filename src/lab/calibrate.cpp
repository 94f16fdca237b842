#include "lab/calibrate.h"

#include "core/clock.h"
#include "core/statistics.h"
#include "lab/probe.h"

#include <algorithm>
#include <cmath>

namespace ridge {
namespace {

constexpr int kLeastSamples = 5;
constexpr double kMostEfficiency = 1.25;  // what a machine file may say

// Weighs calls as the virtual device would, so that a point stands where predictions will look for it.
class Scale final : public OpObserver {
 public:
  explicit Scale(const MachineModel& machine) : timeline_(machine) {}
  void on_op(const OpCall& call, double /*start*/, double /*end*/) override {
    shape = call.cost.shape;
    variant = call.cost.shape.variant;
    charge = timeline_.weigh(call);
    largest_bytes = 0;
    for (int i = 0; i < call.cost.least.touch_count; ++i) {
      const Touch& touch = call.cost.least.touches[static_cast<std::size_t>(i)];
      if (touch.key != nullptr) largest_bytes = std::max(largest_bytes, touch.bytes);
    }
  }

  ShapeClass shape;
  std::string variant;
  Charge charge;
  double largest_bytes = 0;

 private:
  Timeline timeline_;
};

// Seconds of one call: the median of undisturbed samples, or the best where nearly all were disturbed.
double time_call(CaseRun& run, const Exec& exec, double seconds) {
  constexpr double kSampleSeconds = 4e-4;
  const SteadyClock clock;
  const double start = clock.now();
  run.run(exec);
  const double once = std::max(clock.now() - start, 1e-8);
  const auto calls = std::clamp<std::int64_t>(std::llround(kSampleSeconds / once), 1, 10000);
  std::vector<double> all;
  std::vector<double> undisturbed;
  while (all.size() < kLeastSamples || clock.now() - start < seconds) {
    const long switches = involuntary_switches();
    const double begin = clock.now();
    for (std::int64_t call = 0; call < calls; ++call) run.run(exec);
    all.push_back((clock.now() - begin) / static_cast<double>(calls));
    if (involuntary_switches() == switches) undisturbed.push_back(all.back());
  }
  if (undisturbed.size() >= kLeastSamples) return quantile(undisturbed, 0.5);
  return quantile(all, 0);
}

class Calibration {
 public:
  Calibration(MachineModel& machine, Device& device, double seconds_per_point)
      : machine_(machine),
        device_(device),
        bare_(machine),
        probe_(machine, device),
        cache_(cache_footprint(machine) * 0.75),
        memory_(memory_footprint(machine)),
        seconds_(seconds_per_point) {
    bare_.efficiencies.clear();  // so that what is weighed is the bound at the present rates
  }

  void measure(const Case& test) {
    const Scale near = measure_at(test, 0);
    // Work limited by arithmetic wherever its operands come from needs no more points; small operands stay near.
    const double from_memory = near.largest_bytes / machine_.read_curve.back().bytes_per_s;
    const auto& arithmetic = near.charge.least.arithmetic_s;
    if (near.largest_bytes < 65536 || from_memory < 0.5 * *std::max_element(arithmetic.begin(), arithmetic.end()))
      return;
    measure_at(test, cache_);
    measure_at(test, memory_);
  }

 private:
  Scale measure_at(const Case& test, double footprint) {
    const auto run = test.make(device_, 1, footprint);
    bare_.now = {1, 1};
    Scale scale(bare_);
    const Exec watched(device_, &scale);
    constexpr int kMostSets = 1 << 16;
    // Until operands come round again.
    for (int call = 0; call < kMostSets && (call < 2 || !std::isfinite(scale.charge.footprint)); ++call) {
      run->run(watched);
    }
    const double seconds = time_call(*run, Exec(device_), seconds_);
    bare_.now = footprint == memory_ ? probe_.now(2e-3) : RateNow{};
    run->run(watched);
    add(scale, seconds);
    return scale;
  }

  void add(const Scale& scale, double seconds) {
    if (!std::isfinite(scale.charge.footprint) || scale.charge.expected_s <= 0) return;
    const double efficiency = std::min(kMostEfficiency, scale.charge.expected_s / seconds);
    machine_.efficiencies[scale.variant].push_back(
        {scale.shape.rows, scale.shape.size, std::max(1.0, scale.charge.footprint), efficiency});
  }

  MachineModel& machine_;
  Device& device_;
  MachineModel bare_;
  RateProbe probe_;
  double cache_;
  double memory_;
  double seconds_;
};

}  // namespace

void calibrate(MachineModel& machine, Device& device, std::span<const OpInfo> operators,
               const CalibrationOptions& options) {
  std::vector<const Case*> cases;
  for (const OpInfo& info : operators) {
    for (const Case& test : info.cases) {
      if ((test.tags & kCalibrationCase) != 0) cases.push_back(&test);
    }
  }
  machine.efficiencies.clear();
  if (cases.empty()) return;
  // About two points a case, and half of the time goes into making operands.
  Calibration calibration(machine, device, options.budget_s / static_cast<double>(cases.size()) / 4);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    calibration.measure(*cases[i]);
    if (options.progress) options.progress(static_cast<double>(i + 1) / static_cast<double>(cases.size()));
  }
}

std::vector<double> leave_one_out_errors(const MachineModel& machine, const std::string& variant) {
  std::vector<double> errors;
  const auto found = machine.efficiencies.find(variant);
  if (found == machine.efficiencies.end()) return errors;
  for (std::size_t left_out = 0; left_out < found->second.size(); ++left_out) {
    MachineModel others = machine;
    auto& points = others.efficiencies[variant];
    const EfficiencyPoint point = points[left_out];
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(left_out));
    const auto predicted = others.efficiency({variant.c_str(), point.rows, point.size}, point.footprint_bytes);
    if (predicted) errors.push_back(std::fabs(point.efficiency / *predicted - 1));
  }
  return errors;
}

}  // namespace ridge
