#include "lab/loops.h"

#include <immintrin.h>

#include <cstring>
#include <utility>

namespace ridge {
namespace {

#include "lab/chains.inc"

}  // namespace

double peak_bf16_avx512bf16(std::int64_t rounds) {
  constexpr int kChains = 20;
  __m512i bits = _mm512_set1_epi16(0x3F00);  // 0.5
  asm volatile("" : "+v"(bits));
  __m512bh factors;
  std::memcpy(&factors, &bits, sizeof factors);
  run_chains(
      rounds, _mm512_setzero_ps(), [factors](__m512& sum) { sum = _mm512_dpbf16_ps(sum, factors, factors); },
      std::make_index_sequence<kChains>{});
  return static_cast<double>(rounds) * kChains * 32 * 2;
}

}  // namespace ridge
