#include "lab/loops.h"

#include <immintrin.h>

#include <utility>

namespace ridge {
namespace {

#include "lab/chains.inc"

}  // namespace

double peak_i8_avxvnni(std::int64_t rounds) {
  constexpr int kChains = 12;
  __m256i a = _mm256_set1_epi8(15);
  __m256i b = _mm256_set1_epi8(3);
  asm volatile("" : "+x"(a), "+x"(b));
  run_chains(
      rounds, _mm256_setzero_si256(), [a, b](__m256i& sum) { sum = _mm256_dpbusd_avx_epi32(sum, a, b); },
      std::make_index_sequence<kChains>{});
  return static_cast<double>(rounds) * kChains * 32 * 2;
}

}  // namespace ridge
