#include "lab/loops.h"

#include <immintrin.h>

#include <utility>

namespace ridge {
namespace {

constexpr std::size_t kVectorBytes = 32;

inline __m256i load(const std::byte* from) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
}
inline void keep(__m256i vector) {
  asm volatile("" : : "x"(vector));
}
inline void store(std::byte* to, __m256i vector) {
  _mm256_store_si256(reinterpret_cast<__m256i*>(to), vector);
}
inline void store_around(std::byte* to, __m256i vector) {
  _mm256_stream_si256(reinterpret_cast<__m256i*>(to), vector);
}

#include "lab/chains.inc"
#include "lab/memory_loops.inc"

}  // namespace

void read_plain_avx2(const std::byte* data, std::size_t bytes, std::int64_t passes) {
  read_plain(data, bytes, passes);
}
void read_prefetched_avx2(const std::byte* data, std::size_t bytes, std::int64_t passes) {
  read_prefetched(data, bytes, passes);
}
void read_streams_avx2(const std::byte* data, std::size_t bytes, std::int64_t passes) {
  read_streams(data, bytes, passes);
}
void copy_plain_avx2(std::byte* to, const std::byte* from, std::size_t bytes, std::int64_t passes) {
  copy_plain(to, from, bytes, passes);
}
void copy_around_avx2(std::byte* to, const std::byte* from, std::size_t bytes, std::int64_t passes) {
  copy_around(to, from, bytes, passes);
}

double peak_f32_avx2(std::int64_t rounds) {
  constexpr int kChains = 12;
  __m256 a = _mm256_set1_ps(0.5F);
  __m256 b = _mm256_set1_ps(0.25F);
  asm volatile("" : "+x"(a), "+x"(b));
  run_chains(
      rounds, _mm256_setzero_ps(), [a, b](__m256& sum) { sum = _mm256_fmadd_ps(a, b, sum); },
      std::make_index_sequence<kChains>{});
  return static_cast<double>(rounds) * kChains * 8 * 2;
}

double peak_i8_avx2(std::int64_t rounds) {
  constexpr int kChains = 4;
  constexpr int kAdded = 8;
  const __m256i ones = _mm256_set1_epi16(1);
  const __m256i weights = _mm256_set1_epi8(15);
  __m256i inputs = _mm256_set1_epi8(3);
  run_chains(
      rounds, _mm256_setzero_si256(),
      [&](__m256i& sum) {
        __m256i narrow = _mm256_setzero_si256();
        for (int i = 0; i < kAdded; ++i) {
          asm volatile("" : "+x"(inputs));  // new inputs, as far as the compiler knows
          narrow = _mm256_add_epi16(narrow, _mm256_maddubs_epi16(weights, inputs));
        }
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(narrow, ones));
      },
      std::make_index_sequence<kChains>{});
  return static_cast<double>(rounds) * kChains * kAdded * 32 * 2;
}

}  // namespace ridge
