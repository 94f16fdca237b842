// Philox4x32-10, a counter-based generator: the n-th number of a stream depends on (seed, stream, n) alone.
// Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11, section 3.3 and table 2.
#pragma once

#include <array>
#include <cstdint>

namespace ridge {

// Ten rounds over a 128-bit counter under a 64-bit key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

// Uniform in [0, 1) with 24 bits: number `index` of stream `stream` under `seed`.
float philox_uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

// A sequence of numbers of one stream, for tests, calibration inputs and workloads.
class PhiloxStream {
 public:
  explicit PhiloxStream(std::uint64_t seed, std::uint64_t stream = 0) : seed_(seed), stream_(stream) {}
  std::uint32_t bits();
  float uniform();                           // [0, 1)
  float normal();                            // N(0, 1), Box-Muller
  std::uint32_t below(std::uint32_t limit);  // [0, limit), limit > 0

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t index_ = 0;
};

}  // namespace ridge
