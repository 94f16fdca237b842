#include "lab/loops.h"

#include <immintrin.h>

#include <utility>

namespace ridge {
namespace {

constexpr std::size_t kVectorBytes = 64;

inline __m512i load(const std::byte* from) {
  return _mm512_load_si512(reinterpret_cast<const __m512i*>(from));
}
inline void keep(__m512i vector) {
  asm volatile("" : : "v"(vector));
}
inline void store(std::byte* to, __m512i vector) {
  _mm512_store_si512(reinterpret_cast<__m512i*>(to), vector);
}
inline void store_around(std::byte* to, __m512i vector) {
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), vector);
}

#include "lab/chains.inc"
#include "lab/memory_loops.inc"

}  // namespace

void read_plain_avx512(const std::byte* data, std::size_t bytes, std::int64_t passes) {
  read_plain(data, bytes, passes);
}
void read_prefetched_avx512(const std::byte* data, std::size_t bytes, std::int64_t passes) {
  read_prefetched(data, bytes, passes);
}
void read_streams_avx512(const std::byte* data, std::size_t bytes, std::int64_t passes) {
  read_streams(data, bytes, passes);
}
void copy_plain_avx512(std::byte* to, const std::byte* from, std::size_t bytes, std::int64_t passes) {
  copy_plain(to, from, bytes, passes);
}
void copy_around_avx512(std::byte* to, const std::byte* from, std::size_t bytes, std::int64_t passes) {
  copy_around(to, from, bytes, passes);
}

double peak_f32_avx512(std::int64_t rounds) {
  constexpr int kChains = 20;
  __m512 a = _mm512_set1_ps(0.5F);
  __m512 b = _mm512_set1_ps(0.25F);
  asm volatile("" : "+v"(a), "+v"(b));
  run_chains(
      rounds, _mm512_setzero_ps(), [a, b](__m512& sum) { sum = _mm512_fmadd_ps(a, b, sum); },
      std::make_index_sequence<kChains>{});
  return static_cast<double>(rounds) * kChains * 16 * 2;
}

double peak_i8_avx512(std::int64_t rounds) {
  constexpr int kChains = 20;
  __m512i a = _mm512_set1_epi8(15);
  __m512i b = _mm512_set1_epi8(3);
  asm volatile("" : "+v"(a), "+v"(b));
  run_chains(
      rounds, _mm512_setzero_si512(), [a, b](__m512i& sum) { sum = _mm512_dpbusd_epi32(sum, a, b); },
      std::make_index_sequence<kChains>{});
  return static_cast<double>(rounds) * kChains * 64 * 2;
}

}  // namespace ridge
