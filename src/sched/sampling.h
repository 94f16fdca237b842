// How a request wants its tokens chosen: plain values that the scheduler carries along and the sampler reads.
#pragma once

#include <cstdint>

namespace ridge {

struct SamplingParams {
  float temperature = 0;          // 0: greedy
  std::int32_t top_k = 0;         // 0: off
  float top_p = 1;                // 1: off
  float min_p = 0;                // 0: off
  float repeat_penalty = 1;       // 1: off
  std::int32_t repeat_last = 64;  // tokens that the penalty looks back on; 0: off, -1: all
  std::uint64_t seed = 0;         // of this sequence alone

  friend bool operator==(const SamplingParams&, const SamplingParams&) = default;
};

}  // namespace ridge
