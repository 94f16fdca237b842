#include "engine/runner.h"

#include "core/error.h"

#include <algorithm>

namespace ridge {

Runner::Runner(const Exec& exec, const Model& model, const RunnerOptions& options, Outcomes& outcomes)
    : exec_(exec),
      model_(model),
      options_(options),
      outcomes_(outcomes),
      cache_(make_kv_cache(exec, model.config, options.blocks, options.block_size, options.kv_dtype)),
      sampler_(model.config.vocabulary),
      plans_(static_cast<std::size_t>(options.depth)),
      tokens_(static_cast<std::size_t>(options.limits.tokens)),
      histories_(static_cast<std::size_t>(options.limits.sequences) * (static_cast<std::size_t>(options.context) + 1)) {
  result_.tokens.reserve(static_cast<std::size_t>(options.limits.sequences));
}

Ticket Runner::submit(const StepPlan& plan) {
  require(plan.limits() == options_.limits, "runner: the plan was made for other limits");
  require(next_submit_ - next_collect_ < options_.depth, "runner: {} plans are under way, the depth is {}",
          next_submit_ - next_collect_, options_.depth);
  plans_[static_cast<std::size_t>(next_submit_ % options_.depth)] = &plan;
  return {next_submit_++};
}

const StepResult& Runner::collect(Ticket ticket) {
  require(ticket.step == next_collect_ && next_collect_ < next_submit_,
          "runner: step {} was asked for, the oldest under way is {} of {}", ticket.step, next_collect_, next_submit_);
  const StepPlan& plan = *plans_[static_cast<std::size_t>(next_collect_ % options_.depth)];
  ++next_collect_;
  resolve_tokens(plan);
  const Tensor logits = decoder_forward(exec_, model_.config, model_.weights, cache_,
                                        {.tokens = std::span(tokens_).first(plan.tokens().size()),
                                         .positions = plan.positions(),
                                         .slots = plan.slots(),
                                         .view = plan.paged_view(),
                                         .logit_rows = plan.logit_rows()});
  sample(plan, logits);
  if (exec_.on_paper()) {
    const MachineModel& machine = exec_.device().machine();
    exec_.device().timeline().host(machine.host_step_s +
                                   machine.host_token_s * static_cast<double>(plan.logit_rows().size()));
  }
  return result_;
}

std::span<std::int32_t> Runner::history(std::int32_t slot) {
  const std::size_t length = static_cast<std::size_t>(options_.context) + 1;
  return std::span(histories_).subspan(static_cast<std::size_t>(slot) * length, length);
}

// A sampled token was written to the history of its slot; every other token is written there now.
void Runner::resolve_tokens(const StepPlan& plan) {
  const std::span<const std::int32_t> planned = plan.tokens();
  for (std::size_t s = 0; s < plan.slices().size(); ++s) {
    const SequenceSlice& slice = plan.slices()[s];
    const std::span<std::int32_t> past = history(plan.sequences()[s].slot);
    for (std::int32_t i = 0; i < slice.rows; ++i) {
      const auto row = static_cast<std::size_t>(slice.first_row + i);
      std::int32_t& token = past[static_cast<std::size_t>(plan.positions()[row])];
      if (planned[row] != kPreviousSample) token = planned[row];
      tokens_[row] = token;
    }
  }
}

void Runner::sample(const StepPlan& plan, const Tensor& logits) {
  result_.tokens.assign(plan.sequences().size(), kNoToken);
  std::int64_t logit_row = 0;
  for (std::size_t s = 0; s < plan.sequences().size(); ++s) {
    if (plan.sequences()[s].samples == 0) continue;
    float* row = logits.data<float>() + logit_row * model_.config.vocabulary;
    ++logit_row;
    result_.tokens[s] = next_token(plan, s, row);
  }
}

std::int32_t Runner::next_token(const StepPlan& plan, std::size_t sequence, float* logits) {
  const PlannedSequence& planned = plan.sequences()[sequence];
  const std::int32_t position = plan.slices()[sequence].context;
  const std::span<std::int32_t> past = history(planned.slot);
  const std::int32_t token =
      exec_.on_paper() ? outcomes_.token(planned, position)
                       : sampler_.sample({.logits = {logits, static_cast<std::size_t>(model_.config.vocabulary)},
                                          .history = past.first(static_cast<std::size_t>(position)),
                                          .params = planned.sampling,
                                          .request = planned.request});
  past[static_cast<std::size_t>(position)] = token;
  return token;
}

}  // namespace ridge
