#include "engine/engine.h"

#include "core/error.h"

#include <algorithm>
#include <limits>

namespace ridge {
namespace {

std::int64_t context_of(const ModelConfig& config, const EngineOptions& options) {
  if (options.context == 0) return config.context;
  require(options.context > 0 && options.context <= config.context,
          "engine: context must be between 1 and the model's {} tokens, got {}", config.context, options.context);
  return options.context;
}

SchedulerOptions scheduler_options(const ModelConfig& config, const EngineOptions& options) {
  const std::int64_t context = context_of(config, options);
  const std::int64_t tokens = options.kv_tokens == 0 ? context : options.kv_tokens;
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  require(options.block_size >= 1, "engine: block_size must be at least 1 token, got {}", options.block_size);
  require(tokens > 0 && tokens <= kMost - options.block_size, "engine: kv_tokens must be between 1 and {}, got {}",
          kMost - options.block_size, tokens);
  require(context <= kMost, "engine: the model's context of {} tokens is beyond 2^31 - 1", context);
  return {.max_sequences = options.max_sequences,
          .max_tokens_per_step = options.max_tokens_per_step,
          .chunk = options.chunk,
          .block_size = options.block_size,
          .blocks = static_cast<std::int32_t>((tokens + options.block_size - 1) / options.block_size),
          .context = static_cast<std::int32_t>(context),
          .depth = options.depth};
}

RunnerOptions runner_options(const ModelConfig& config, const EngineOptions& options, const Scheduler& scheduler) {
  return {.limits = scheduler.limits(),
          .blocks = scheduler.kv().blocks(),
          .block_size = options.block_size,
          .context = static_cast<std::int32_t>(context_of(config, options)),
          .kv_dtype = options.kv_dtype,
          .depth = options.depth};
}

}  // namespace

Engine::Engine(const Exec& exec, const Model& model, const EngineOptions& options, Outcomes& outcomes)
    : model_(model),
      scheduler_(scheduler_options(model.config, options)),
      runner_(exec, model, runner_options(model.config, options, scheduler_), outcomes),
      plans_(static_cast<std::size_t>(options.depth), StepPlan(scheduler_.limits())) {}

Engine::Engine(const Exec& exec, const Model& model, const EngineOptions& options)
    : Engine(exec, model, options, constant_token_) {}

RequestId Engine::add(const Request& request) {
  check(request.sampling);
  const auto wrong = std::find_if(request.prompt.begin(), request.prompt.end(),
                                  [&](std::int32_t id) { return id < 0 || id >= model_.config.vocabulary; });
  require(wrong == request.prompt.end(), "request: token ids must be in [0, {}), got {} at position {}",
          model_.config.vocabulary, wrong == request.prompt.end() ? 0 : *wrong, wrong - request.prompt.begin());
  return scheduler_.add(request);
}

std::span<const TokenEvent> Engine::step() {
  while (submitted_ - collected_ < static_cast<std::int64_t>(plans_.size()) && scheduler_.plan(plan_of(submitted_))) {
    runner_.submit(plan_of(submitted_));
    ++submitted_;
  }
  if (collected_ < submitted_) {
    const StepResult& result = runner_.collect({collected_});
    scheduler_.apply(plan_of(collected_), result);
    ++collected_;
  }
  return scheduler_.take_events();
}

}  // namespace ridge
