// From requests to tokens: the scheduler plans steps, the runner runs them.
#pragma once

#include "engine/runner.h"
#include "sched/scheduler.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ridge {

struct EngineOptions {
  std::int32_t max_sequences = 8;          // that run at once
  std::int32_t max_tokens_per_step = 512;  // rows of a step
  std::int32_t chunk = 512;                // rows that one prompt may take of a step
  std::int32_t block_size = 16;            // tokens of a KV block
  DType kv_dtype = DType::f16;             // or f32
  std::int64_t kv_tokens = 0;              // that the KV pool holds, rounded up to blocks; 0: one whole context
  std::int64_t context = 0;                // positions of a sequence; 0: as many as the model was made for
  std::int32_t depth = 1;                  // 2: the next step is planned while this one runs
};

class Engine {
 public:
  // Takes the KV memory and everything else that steps need. `model` (and `outcomes`, see Runner) stay alive. Throws
  // Error naming an option out of its range.
  Engine(const Exec& exec, const Model& model, const EngineOptions& options, Outcomes& outcomes);
  Engine(const Exec& exec, const Model& model, const EngineOptions& options);

  // Queues a request; copies what it needs. Throws Error when it can never run (Scheduler::add), a token is not in the
  // vocabulary or a sampling parameter is out of its range.
  RequestId add(const Request& request);

  // Ends a request: its `cancelled` event comes with the next step. False when there is none.
  bool cancel(RequestId request) { return scheduler_.cancel(request); }

  // Runs one step and says what came of it; valid until the next call. Empty while prompts are read, and when idle.
  // Between planning and applying nothing is allocated. After an Error the engine is good for nothing.
  std::span<const TokenEvent> step();

  [[nodiscard]] bool idle() const { return scheduler_.idle(); }
  [[nodiscard]] const Scheduler& scheduler() const { return scheduler_; }

 private:
  StepPlan& plan_of(std::int64_t step) { return plans_[static_cast<std::size_t>(step) % plans_.size()]; }

  const Model& model_;
  ConstantToken constant_token_;
  Scheduler scheduler_;
  Runner runner_;
  std::vector<StepPlan> plans_;  // ring: step n at n % depth
  std::int64_t submitted_ = 0;
  std::int64_t collected_ = 0;
};

}  // namespace ridge
