#include "lab/bench.h"

#include "core/error.h"

#include <algorithm>
#include <cmath>

namespace ridge {
namespace {

constexpr double kProbeSeconds = 0.1;

// Samples of the machine's rates around repetitions.
class Surroundings {
 public:
  Surroundings(MachineModel& machine, Device& device) : machine_(machine), probe_(machine, device) {}

  void sample() {
    const RateProbe::Rates rates = probe_.sample(kProbeSeconds);
    raised_ |= raise_ceilings(machine_, rates, probe_.footprint_bytes());
    rates_.push_back(rates);
  }

  // The median since the last call.
  RateNow take() {
    std::vector<double> memory;
    std::vector<double> arithmetic;
    for (const RateProbe::Rates& rates : rates_) {
      const RateNow now = shares(machine_, rates, probe_.footprint_bytes());
      memory.push_back(now.memory);
      arithmetic.push_back(now.arithmetic);
    }
    rates_.clear();
    return {quantile(memory, 0.5), quantile(arithmetic, 0.5)};
  }

  [[nodiscard]] bool raised() const { return raised_; }

 private:
  MachineModel& machine_;
  RateProbe probe_;
  std::vector<RateProbe::Rates> rates_;
  bool raised_ = false;
};

std::vector<Phase> phases_of(const BenchOptions& options) {
  require(options.repetitions >= 1, "bench: repetitions must be at least 1, got {}", options.repetitions);
  std::vector<Phase> phases;
  for (const std::int64_t batch : options.batches) {
    if (options.prompt > 0) phases.push_back({.decode = false, .tokens = options.prompt, .batch = batch, .depth = 0});
    if (options.generate > 0) {
      phases.push_back({.decode = true, .tokens = options.generate, .batch = batch, .depth = options.depth});
    }
  }
  require(!phases.empty(), "bench: nothing to do: prompt, generate or batches must not be empty");
  return phases;
}

PhasePrediction predict_at(MachineModel machine, RateNow now, const ModelSource& source, const Phase& phase,
                           const BenchOptions& options) {
  machine.now = now;
  const auto paper = Device::on_paper(std::move(machine));
  const Model model = load_model(Exec(*paper), source, {.as_f32 = options.as_f32, .progress = nullptr});
  return predict_phase(*paper, model, phase, options.kv_dtype);
}

}  // namespace

Bench bench(MachineModel& machine, Device& device, const Model& model, const ModelSource& source,
            const BenchOptions& options) {
  Bench bench{machine.name, source.name(), device.threads(), {}, false};
  const std::vector<Phase> phases = phases_of(options);
  Surroundings surroundings(machine, device);
  for (std::size_t i = 0; i < phases.size(); ++i) {
    BenchRow row;
    row.phase = phases[i];
    PhaseRunner runner(Exec(device), model, row.phase, options.kv_dtype);
    runner.warm_up();
    runner.run();
    surroundings.sample();
    double others = 0;
    for (int repetition = 0; repetition < options.repetitions; ++repetition) {
      const Interference interference;
      row.tokens_per_s.push_back(row.phase.total_tokens() / runner.run());
      others += interference.others() / options.repetitions;
      surroundings.sample();
      if (options.progress) {
        options.progress((static_cast<double>(i) + (repetition + 1.0) / options.repetitions) /
                         static_cast<double>(phases.size()));
      }
    }
    row.others = others;
    row.now = surroundings.take();
    row.measured = summarize(row.tokens_per_s);
    bench.rows.push_back(row);
  }
  for (BenchRow& row : bench.rows) {
    const PhasePrediction now = predict_at(machine, row.now, source, row.phase, options);
    row.expected_tokens_per_s = now.expected_tokens_per_s();
    row.bound_tokens_per_s = now.bound_tokens_per_s();
    row.uncalibrated = now.uncalibrated;
    row.bytes_per_s = now.bytes * row.measured.median / row.phase.total_tokens();
    row.expected_at_ceilings = predict_at(machine, {}, source, row.phase, options).expected_tokens_per_s();
  }
  bench.raised = surroundings.raised();
  return bench;
}

}  // namespace ridge
