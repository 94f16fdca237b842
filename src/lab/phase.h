// A phase of generation, run through the engine alike on a real device and on paper.
#pragma once

#include "engine/engine.h"

#include <cstdint>
#include <functional>

namespace ridge {

// prefill: `tokens` of prompt for each of `batch` sequences, logits of the last row only.
// decode: `tokens` generated for each of `batch` sequences that already hold `depth` tokens.
struct Phase {
  bool decode = false;
  std::int64_t tokens = 0;
  std::int64_t batch = 1;
  std::int64_t depth = 0;

  [[nodiscard]] const char* name() const { return decode ? "decode" : "prefill"; }
  [[nodiscard]] double total_tokens() const { return static_cast<double>(tokens * batch); }
};

// An engine with the memory that a phase needs.
class PhaseRunner {
 public:
  // Throws Error when the model's context does not hold the phase.
  PhaseRunner(const Exec& exec, const Model& model, const Phase& phase, DType kv_dtype);

  // Runs the phase once, prompts and all, and returns the device's seconds of the phase proper. `before` is called when
  // it begins, after whatever leads up to it.
  double run(const std::function<void()>& before = nullptr);

  // A few tokens, so that memory is backed and the caches hold what they will.
  void warm_up();

 private:
  void add_requests(std::int64_t prompt, std::int64_t new_tokens);
  void drain();

  Device& device_;
  Phase phase_;
  std::int64_t vocabulary_;
  Engine engine_;
};

}  // namespace ridge
