#include "lab/phase.h"

#include "core/error.h"
#include "core/rng.h"

#include <algorithm>

namespace ridge {
namespace {

// Positions that a sequence of the phase takes. The last token sampled is not fed back.
std::int64_t positions_of(const Phase& phase) {
  return phase.decode ? phase.depth + phase.tokens + 1 : phase.tokens + 1;
}

EngineOptions options_of(const ModelConfig& config, const Phase& phase, DType kv_dtype) {
  require(phase.tokens >= 1 && phase.batch >= 1 && phase.depth >= 0,
          "{}: tokens and batch must be at least 1 and depth at least 0, got {}, {} and {}", phase.name(), phase.tokens,
          phase.batch, phase.depth);
  constexpr std::int64_t kMostBatch = 1 << 16;
  require(phase.batch <= kMostBatch, "{}: batch must be at most {}, got {}", phase.name(), kMostBatch, phase.batch);
  const std::int64_t rows = phase.decode ? phase.depth + phase.tokens : phase.tokens;
  require(phase.tokens <= config.context && phase.depth <= config.context && rows <= config.context,
          "{}: {} tokens at depth {} do not fit in the model's context of {}", phase.name(), phase.tokens, phase.depth,
          config.context);
  EngineOptions options;
  options.kv_dtype = kv_dtype;
  options.max_sequences = static_cast<std::int32_t>(phase.batch);
  options.max_tokens_per_step = std::max(options.max_tokens_per_step, options.max_sequences);
  options.context = std::min(config.context, positions_of(phase));
  const std::int64_t blocks = (options.context + options.block_size - 1) / options.block_size;
  options.kv_tokens = phase.batch * blocks * options.block_size;
  return options;
}

}  // namespace

PhaseRunner::PhaseRunner(const Exec& exec, const Model& model, const Phase& phase, DType kv_dtype)
    : device_(exec.device()),
      phase_(phase),
      vocabulary_(model.config.vocabulary),
      engine_(exec, model, options_of(model.config, phase, kv_dtype)) {}

void PhaseRunner::add_requests(std::int64_t prompt, std::int64_t new_tokens) {
  PhiloxStream random(1);
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(prompt));
  for (std::int64_t sequence = 0; sequence < phase_.batch; ++sequence) {
    for (std::int32_t& token : tokens) {
      token = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(vocabulary_)));
    }
    engine_.add(
        {.prompt = tokens, .max_new_tokens = static_cast<std::int32_t>(new_tokens), .stop_tokens = {}, .sampling = {}});
  }
}

void PhaseRunner::drain() {
  while (!engine_.idle()) engine_.step();
}

double PhaseRunner::run(const std::function<void()>& before) {
  if (!phase_.decode) {
    add_requests(phase_.tokens, 1);
  } else if (phase_.depth == 0) {
    add_requests(1, phase_.tokens);  // the step that reads the first token is the first that samples
  } else {
    // The step that reads the last prompt samples the first token; the phase is what follows.
    add_requests(phase_.depth, phase_.tokens + 1);
    std::size_t started = 0;
    while (started < static_cast<std::size_t>(phase_.batch)) started += engine_.step().size();
  }
  if (before) before();
  const double start = device_.now();
  drain();
  return device_.now() - start;
}

void PhaseRunner::warm_up() {
  constexpr std::int64_t kWarmTokens = 2;
  add_requests(1, std::min(kWarmTokens, phase_.tokens));
  drain();
}

}  // namespace ridge
