#include "sched/scheduler.h"

#include "core/error.h"

#include <algorithm>

namespace ridge {
namespace {

const SchedulerOptions& checked(const SchedulerOptions& options) {
  require(options.max_sequences >= 1, "scheduler: max_sequences must be at least 1, got {}", options.max_sequences);
  require(options.max_tokens_per_step >= options.max_sequences,
          "scheduler: max_tokens_per_step must be at least max_sequences ({}), got {}", options.max_sequences,
          options.max_tokens_per_step);
  require(options.chunk >= 1, "scheduler: chunk must be at least 1 token, got {}", options.chunk);
  require(options.block_size >= 1, "scheduler: block_size must be at least 1 token, got {}", options.block_size);
  require(options.blocks >= 1, "scheduler: blocks must be at least 1, got {}", options.blocks);
  require(options.context >= 1 && options.context < (1 << 30), "scheduler: context must be in [1, 2^30), got {}",
          options.context);
  require(options.depth == 1 || options.depth == 2, "scheduler: depth must be 1 or 2, got {}", options.depth);
  return options;
}

std::int32_t blocks_per_sequence(const SchedulerOptions& options) {
  return (options.context + options.block_size - 1) / options.block_size;
}

}  // namespace

std::string_view finish_reason_name(FinishReason reason) {
  constexpr std::string_view kNames[] = {"none", "stop", "length", "cancelled"};
  return kNames[static_cast<std::size_t>(reason)];
}

Scheduler::Scheduler(const SchedulerOptions& options)
    : options_(checked(options)),
      kv_(options.blocks, options.block_size, options.max_sequences, blocks_per_sequence(options)),
      sequences_(static_cast<std::size_t>(options.max_sequences)) {
  for (std::int32_t slot = options.max_sequences; slot-- > 0;) free_slots_.push_back(slot);
  order_.reserve(sequences_.size());
  events_.reserve(2 * sequences_.size());
  taken_.reserve(2 * sequences_.size());
}

StepLimits Scheduler::limits() const {
  const std::int64_t tables = std::int64_t{options_.max_sequences} * blocks_per_sequence(options_);
  return {options_.max_sequences, options_.max_tokens_per_step,
          static_cast<std::int32_t>(std::min<std::int64_t>(tables, options_.blocks))};
}

RequestId Scheduler::add(const Request& request) {
  require(!request.prompt.empty(), "request: the prompt is empty, it must have at least one token");
  require(request.prompt.size() <= static_cast<std::size_t>(options_.context),
          "request: the prompt has {} tokens, the context holds {}", request.prompt.size(), options_.context);
  require(request.max_new_tokens >= 1, "request: max_new_tokens must be at least 1, got {}", request.max_new_tokens);
  const auto negative = std::find_if(request.prompt.begin(), request.prompt.end(), [](auto id) { return id < 0; });
  require(negative == request.prompt.end(), "request: token ids are not negative, got {} at position {}",
          negative == request.prompt.end() ? 0 : *negative, negative - request.prompt.begin());

  Sequence sequence;
  sequence.prompt = static_cast<std::int32_t>(request.prompt.size());
  sequence.max_tokens = sequence.prompt + std::min(request.max_new_tokens, options_.context - sequence.prompt + 1);
  const std::int32_t blocks = kv_.blocks_for(sequence.positions());
  require(blocks <= kv_.blocks(),
          "request: {} prompt and {} new tokens need {} KV blocks of {} tokens, the pool has {}", sequence.prompt,
          sequence.max_tokens - sequence.prompt, blocks, kv_.block_size(), kv_.blocks());
  sequence.id = next_request_++;
  sequence.tokens.reserve(static_cast<std::size_t>(sequence.max_tokens));
  sequence.tokens.assign(request.prompt.begin(), request.prompt.end());
  sequence.stop_tokens.assign(request.stop_tokens.begin(), request.stop_tokens.end());
  sequence.sampling = request.sampling;
  waiting_.push_back(std::move(sequence));
  return waiting_.back().id;
}

bool Scheduler::cancel(RequestId request) {
  const auto queued =
      std::find_if(waiting_.begin(), waiting_.end(), [&](const Sequence& one) { return one.id == request; });
  if (queued != waiting_.end()) {
    waiting_.erase(queued);
    events_.push_back({request, kNoToken, FinishReason::cancelled});
    return true;
  }
  for (const std::int32_t slot : order_) {
    Sequence& sequence = at(slot);
    if (sequence.id != request || sequence.finish != FinishReason::none) continue;
    end(sequence, FinishReason::cancelled);
    events_.push_back({request, kNoToken, FinishReason::cancelled});
    release_if_ended(slot);
    return true;
  }
  return false;
}

void Scheduler::admit() {
  while (!waiting_.empty() && !free_slots_.empty()) {
    const std::int32_t slot = free_slots_.back();
    if (!kv_.reserve(slot, waiting_.front().positions())) return;
    free_slots_.pop_back();
    order_.push_back(slot);
    at(slot) = std::move(waiting_.front());
    waiting_.pop_front();
  }
}

bool Scheduler::plan(StepPlan& plan) {
  require(under_way() < options_.depth, "scheduler: {} plans are under way, the depth is {}", under_way(),
          options_.depth);
  admit();
  plan.begin(next_step_, options_.block_size);
  std::int32_t budget = options_.max_tokens_per_step;
  for (const std::int32_t slot : order_) {
    const Sequence& sequence = at(slot);
    if (sequence.finish != FinishReason::none || !sequence.generates()) continue;
    if (sequence.progress.scheduled == sequence.positions()) continue;
    plan_rows(slot, 1, plan);
    --budget;
  }
  for (const std::int32_t slot : order_) {
    const Sequence& sequence = at(slot);
    if (sequence.finish != FinishReason::none || sequence.generates()) continue;
    const std::int32_t rows = std::min({sequence.prompt - sequence.progress.scheduled, options_.chunk, budget});
    if (rows == 0) break;
    plan_rows(slot, rows, plan);
    budget -= rows;
  }
  if (plan.empty()) return false;
  ++next_step_;
  return true;
}

void Scheduler::plan_rows(std::int32_t slot, std::int32_t rows, StepPlan& plan) {
  Sequence& sequence = at(slot);
  std::int32_t& scheduled = sequence.progress.scheduled;
  const auto first = static_cast<std::size_t>(scheduled);
  // A generated token that is not there yet is the one that the step under way samples.
  const std::span<const std::int32_t> tokens =
      first < sequence.tokens.size()
          ? std::span<const std::int32_t>(sequence.tokens).subspan(first, static_cast<std::size_t>(rows))
          : std::span<const std::int32_t>(&kPreviousSample, 1);
  const std::int32_t samples = scheduled + rows >= sequence.prompt ? 1 : 0;
  plan.append({sequence.id, slot, samples, sequence.sampling}, scheduled, tokens, kv_.table(slot));
  scheduled += rows;
  ++sequence.under_way;
}

void Scheduler::apply(const StepPlan& plan, const StepResult& result) {
  const std::span<const PlannedSequence> planned = plan.sequences();
  require(under_way() > 0 && plan.header().step == next_apply_, "scheduler: step {} was applied, step {} is the next",
          plan.header().step, next_apply_);
  require(result.tokens.size() >= planned.size(), "scheduler: the result has {} tokens for {} sequences",
          result.tokens.size(), planned.size());
  ++next_apply_;
  for (std::size_t i = 0; i < planned.size(); ++i) {
    Sequence& sequence = at(planned[i].slot);
    --sequence.under_way;
    if (sequence.finish == FinishReason::none) {
      sequence.progress.computed += plan.slices()[i].rows;
      sequence.progress.committed = sequence.progress.computed;
      if (planned[i].samples != 0) commit(sequence, result.tokens[i]);
    }
    release_if_ended(planned[i].slot);
  }
}

void Scheduler::commit(Sequence& sequence, std::int32_t token) {
  require(token >= 0, "scheduler: request {} sampled the token {}", sequence.id, token);
  sequence.tokens.push_back(token);
  const auto& stops = sequence.stop_tokens;
  if (std::find(stops.begin(), stops.end(), token) != stops.end()) {
    end(sequence, FinishReason::stop);
  } else if (sequence.tokens.size() == static_cast<std::size_t>(sequence.max_tokens)) {
    end(sequence, FinishReason::length);
  }
  events_.push_back({sequence.id, token, sequence.finish});
}

void Scheduler::end(Sequence& sequence, FinishReason reason) {
  sequence.finish = reason;
  sequence.progress.scheduled = sequence.progress.computed = sequence.progress.committed;
}

// A plan under way still writes to the blocks of a sequence that has ended: they are free once it was applied.
void Scheduler::release_if_ended(std::int32_t slot) {
  Sequence& sequence = at(slot);
  if (sequence.finish == FinishReason::none || sequence.under_way != 0) return;
  kv_.release(slot);
  order_.erase(std::find(order_.begin(), order_.end(), slot));
  free_slots_.push_back(slot);
}

std::span<const TokenEvent> Scheduler::take_events() {
  std::swap(events_, taken_);
  events_.clear();
  return taken_;
}

std::optional<SequenceProgress> Scheduler::progress(RequestId request) const {
  for (const std::int32_t slot : order_) {
    const Sequence& sequence = sequences_[static_cast<std::size_t>(slot)];
    if (sequence.id == request) return sequence.progress;
  }
  return std::nullopt;
}

}  // namespace ridge
