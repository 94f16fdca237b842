#include "core/clock.h"
#include "core/statistics.h"
#include "engine/sampler.h"
#include "lab/calibrate.h"
#include "sched/scheduler.h"

#include <vector>

namespace ridge {
namespace {

// Scheduler work of one decode step of one sequence.
double step_seconds() {
  constexpr std::int32_t kTokens = 400;
  Scheduler scheduler(SchedulerOptions{.blocks = 64, .context = 512});
  const std::vector<std::int32_t> prompt = {1};
  scheduler.add({.prompt = prompt, .max_new_tokens = kTokens, .stop_tokens = {}, .sampling = {}});
  StepPlan plan(scheduler.limits());
  StepResult result{{1}};
  std::vector<double> samples;
  const SteadyClock clock;
  for (int step = 0; step < kTokens; ++step) {
    const double start = clock.now();
    if (!scheduler.plan(plan)) break;
    scheduler.apply(plan, result);
    scheduler.take_events();
    samples.push_back(clock.now() - start);
  }
  return quantile(samples, 0.5);
}

// The greedy choice among a vocabulary of usual size.
double token_seconds() {
  constexpr std::int64_t kVocabulary = 49152;
  constexpr int kSamples = 31;
  std::vector<float> logits(kVocabulary);
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = static_cast<float>(i * 7919 % 10007);
  Sampler sampler(kVocabulary);
  std::vector<double> samples;
  const SteadyClock clock;
  for (int sample = 0; sample < kSamples; ++sample) {
    const double start = clock.now();
    sampler.sample({.logits = logits, .history = {}, .params = {}});
    samples.push_back(clock.now() - start);
  }
  return quantile(samples, 0.5);
}

}  // namespace

void calibrate_host(MachineModel& machine) {
  machine.host_step_s = step_seconds();
  machine.host_token_s = token_seconds();
}

}  // namespace ridge
