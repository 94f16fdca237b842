// Runs step plans: owns the KV memory, puts tokens in, calls the decoder, samples.
#pragma once

#include "engine/outcomes.h"
#include "engine/sampler.h"
#include "model/model.h"
#include "sched/step_plan.h"

#include <vector>

namespace ridge {

struct RunnerOptions {
  StepLimits limits;
  std::int32_t blocks = 0;
  std::int32_t block_size = 0;  // tokens
  std::int32_t context = 0;     // positions of a sequence
  DType kv_dtype = DType::f16;  // or f32
  std::int32_t depth = 1;       // plans that may be under way
};

// A step under way.
struct Ticket {
  std::int64_t step = 0;
};

class Runner {
 public:
  // `model` stays alive. `outcomes` gives the tokens on a virtual device, where logits cannot be read; it is not asked
  // on a real one.
  Runner(const Exec& exec, const Model& model, const RunnerOptions& options, Outcomes& outcomes);

  // Enqueues only; the plan stays alive and unchanged until it is collected. Throws Error when `depth` plans are under
  // way or the plan's limits are not the runner's.
  Ticket submit(const StepPlan& plan);

  // The result of the oldest step under way, valid until the next call. A CPU has no queue of its own: the step runs
  // here. Throws Error for another ticket, and naming request and position when logits are not numbers. Allocates
  // nothing after the first steps.
  const StepResult& collect(Ticket ticket);

 private:
  void resolve_tokens(const StepPlan& plan);
  void sample(const StepPlan& plan, const Tensor& logits);
  std::int32_t next_token(const StepPlan& plan, std::size_t sequence, float* logits);
  [[nodiscard]] std::span<std::int32_t> history(std::int32_t slot);

  Exec exec_;
  const Model& model_;
  RunnerOptions options_;
  Outcomes& outcomes_;
  KvCache cache_;
  Sampler sampler_;
  std::vector<const StepPlan*> plans_;  // ring: step n at n % depth
  std::int64_t next_submit_ = 0;
  std::int64_t next_collect_ = 0;
  std::vector<std::int32_t> tokens_;     // [T] of the step that runs, with samples put in
  std::vector<std::int32_t> histories_;  // [sequences, context + 1] tokens by slot and position
  StepResult result_;
};

}  // namespace ridge
