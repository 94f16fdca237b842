// The next token from logits. All state is passed in: the same arguments give the same token, whatever ran beside them.
#pragma once

#include "sched/sampling.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ridge {

// Throws Error naming the flag, its range and the value.
void check(const SamplingParams& params);

struct SampleArgs {
  std::span<float> logits;                // [V]; overwritten
  std::span<const std::int32_t> history;  // all tokens of the sequence so far: the new one has position history.size()
  SamplingParams params;
  std::int64_t request = 0;  // for errors
};

// Holds scratch memory for one vocabulary and nothing else; a call allocates nothing.
//
// In this order, as in transformers:
//   1. repetition penalty (Keskar et al. 2019, section 4.1): the logit of every token among the last `repeat_last` of
//      the history is divided by the penalty when positive, multiplied otherwise, once however often it occurred;
//   2. temperature 0: the largest logit, the lowest id among equals. Otherwise logits are divided by it;
//   3. top-k: the k largest, lower ids first among equals;
//   4. top-p (Holtzman et al. 2020, section 3.1): the fewest of the largest whose probabilities, among those kept so
//      far, reach p;
//   5. min-p (Nguyen et al. 2024): those with at least min_p of the largest probability;
//   6. one uniform number, a function of (seed, position) alone, picks among those kept.
class Sampler {
 public:
  explicit Sampler(std::int64_t vocabulary);

  // Throws Error naming request and position when a logit is NaN or +infinity, or when all are -infinity.
  std::int32_t sample(const SampleArgs& args);

 private:
  struct Candidate {
    float logit;
    std::int32_t id;
    float weight;  // exp((logit - largest) / temperature)
  };

  static bool comes_first(const Candidate& a, const Candidate& b);
  void penalise(const SampleArgs& args);
  std::int32_t draw_from_all(const SampleArgs& args, float largest, float uniform);
  std::int32_t draw_from_best(const SampleArgs& args, float largest, float uniform);
  std::size_t best_k(const SampleArgs& args, float largest);
  std::size_t nucleus_candidates(const SampleArgs& args, float largest);
  double weigh_all(const SampleArgs& args, float largest);

  std::vector<float> weights_;         // [V]
  std::vector<Candidate> candidates_;  // [V], the first ones used
  double total_weight_ = 0;            // of the candidates that top-p counts among
  std::vector<std::uint32_t> seen_;    // [V]: the call that penalised a token last
  std::uint32_t call_ = 0;
};

// The largest of `values` and the first place where it stands; NaN when one of them is NaN.
struct Largest {
  float value = 0;
  std::size_t index = 0;
};
Largest largest_of(std::span<const float> values);

}  // namespace ridge
