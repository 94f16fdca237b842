// Which rows of which sequences each step computes. Sees no tensors and no clock: the same code runs under a server, in
// a test of microseconds and on virtual time.
#pragma once

#include "sched/kv_blocks.h"
#include "sched/sampling.h"
#include "sched/step_plan.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ridge {

using RequestId = std::int64_t;

struct Request {
  std::span<const std::int32_t> prompt;  // token ids, at least one
  std::int32_t max_new_tokens = 1;       // at least one; generation also ends where the context does
  std::span<const std::int32_t> stop_tokens;
  SamplingParams sampling;
};

enum class FinishReason : std::uint8_t { none, stop, length, cancelled };
std::string_view finish_reason_name(FinishReason reason);

// One token of a sequence, or its end.
struct TokenEvent {
  RequestId request = 0;
  std::int32_t token = kNoToken;  // a stop token is reported too; none comes with `cancelled`
  FinishReason finish = FinishReason::none;
};

struct SchedulerOptions {
  std::int32_t max_sequences = 8;          // that run at once
  std::int32_t max_tokens_per_step = 512;  // rows of a step, at least max_sequences
  std::int32_t chunk = 512;                // rows that one prompt may take of a step
  std::int32_t block_size = 16;            // tokens
  std::int32_t blocks = 512;               // in the KV pool
  std::int32_t context = 2048;             // positions of a sequence
  std::int32_t depth = 1;                  // plans that may be under way: 1 or 2
};

// How far a sequence is, in positions: scheduled >= computed >= committed.
struct SequenceProgress {
  std::int32_t scheduled = 0;  // have rows in plans
  std::int32_t computed = 0;   // of those, in plans whose results were applied
  std::int32_t committed = 0;  // of those, belong to the sequence for good
};

// A step holds one row of every sequence that generates, then chunks of prompts in the order of arrival, as far as the
// budget goes.
//
// Admission is first come, first served: the oldest request waits for a slot and for the blocks of its whole prompt and
// all tokens that it may generate, and nobody overtakes it. So a running sequence never waits for a block: there is no
// deadlock, and nothing is ever computed twice. The last token sampled is never fed back and needs no place.
class Scheduler {
 public:
  // Throws Error naming an option out of its range.
  explicit Scheduler(const SchedulerOptions& options);

  // Queues a request; copies what it needs. Throws Error for an empty prompt, a negative id, a prompt longer than the
  // context, and a request that the whole pool could not hold.
  RequestId add(const Request& request);

  // Ends a request; no token of it is reported afterwards. False when there is none (it may have just finished).
  bool cancel(RequestId request);

  // Fills `plan` with the next step and counts it as under way; false when there is nothing to do before another result
  // is applied or a request comes. At most `depth` plans may be under way. Allocates nothing.
  [[nodiscard]] bool plan(StepPlan& plan);

  // Takes in the result of the oldest plan under way: commits its tokens, ends sequences, and rolls back what was
  // scheduled of them behind their end. Allocates nothing as long as take_events() is called between.
  void apply(const StepPlan& plan, const StepResult& result);

  // What happened since the last call; valid until the next one.
  std::span<const TokenEvent> take_events();

  // Whether no request waits or runs.
  [[nodiscard]] bool idle() const { return waiting_.empty() && order_.empty(); }
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
  [[nodiscard]] std::size_t running() const { return order_.size(); }
  [[nodiscard]] std::int32_t under_way() const { return static_cast<std::int32_t>(next_step_ - next_apply_); }
  [[nodiscard]] StepLimits limits() const;
  [[nodiscard]] const KvBlocks& kv() const { return kv_; }
  // Of a running request.
  [[nodiscard]] std::optional<SequenceProgress> progress(RequestId request) const;

 private:
  struct Sequence {
    RequestId id = 0;
    std::vector<std::int32_t> tokens;  // the prompt, then what was sampled
    std::vector<std::int32_t> stop_tokens;
    SamplingParams sampling;
    std::int32_t prompt = 0;
    std::int32_t max_tokens = 0;  // length at which the sequence ends
    SequenceProgress progress;
    std::int32_t under_way = 0;  // plans that hold rows of it
    FinishReason finish = FinishReason::none;

    // The last token is sampled, never computed.
    [[nodiscard]] std::int32_t positions() const { return max_tokens - 1; }
    [[nodiscard]] bool generates() const { return progress.scheduled >= prompt; }
  };

  void admit();
  void plan_rows(std::int32_t slot, std::int32_t rows, StepPlan& plan);
  void commit(Sequence& sequence, std::int32_t token);
  void end(Sequence& sequence, FinishReason reason);
  void release_if_ended(std::int32_t slot);
  Sequence& at(std::int32_t slot) { return sequences_[static_cast<std::size_t>(slot)]; }

  SchedulerOptions options_;
  KvBlocks kv_;
  std::deque<Sequence> waiting_;
  std::vector<Sequence> sequences_;       // by slot
  std::vector<std::int32_t> free_slots_;  // taken from the end
  std::vector<std::int32_t> order_;       // running slots, oldest request first
  std::vector<TokenEvent> events_;
  std::vector<TokenEvent> taken_;
  RequestId next_request_ = 0;
  std::int64_t next_step_ = 0;
  std::int64_t next_apply_ = 0;
};

}  // namespace ridge
