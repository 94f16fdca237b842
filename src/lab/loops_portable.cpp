// The portable path's loops, for x86-64 without any extension: 16-byte vectors, no fused multiply-add, 16-bit products.
#include "lab/loops.h"

#include <emmintrin.h>

#include <utility>

namespace ridge {
namespace {

#include "lab/chains.inc"

}  // namespace

void read_plain_portable(const std::byte* data, std::size_t bytes, std::int64_t passes) {
  for (; passes > 0; --passes) {
    for (std::size_t at = 0; at < bytes; at += 128) {
      for (std::size_t i = 0; i < 128; i += 16) {
        const __m128i vector = _mm_load_si128(reinterpret_cast<const __m128i*>(data + at + i));
        asm volatile("" : : "x"(vector));
      }
    }
  }
}

void copy_plain_portable(std::byte* to, const std::byte* from, std::size_t bytes, std::int64_t passes) {
  for (; passes > 0; --passes) {
    for (std::size_t at = 0; at < bytes; at += 128) {
      for (std::size_t i = 0; i < 128; i += 16) {
        _mm_store_si128(reinterpret_cast<__m128i*>(to + at + i),
                        _mm_load_si128(reinterpret_cast<const __m128i*>(from + at + i)));
      }
    }
    asm volatile("" : : : "memory");  // each pass is wanted
  }
}

double peak_f32_portable(std::int64_t rounds) {
  constexpr int kChains = 10;
  __m128 a = _mm_set1_ps(0.5F);
  const __m128 b = _mm_set1_ps(0.25F);
  run_chains(
      rounds, _mm_setzero_ps(),
      [&](__m128& sum) {
        asm volatile("" : "+x"(a));  // a new factor, as far as the compiler knows
        sum = _mm_add_ps(sum, _mm_mul_ps(a, b));
      },
      std::make_index_sequence<kChains>{});
  return static_cast<double>(rounds) * kChains * 4 * 2;
}

double peak_i8_portable(std::int64_t rounds) {
  constexpr int kChains = 10;
  __m128i a = _mm_set1_epi16(15);
  const __m128i b = _mm_set1_epi16(3);
  run_chains(
      rounds, _mm_setzero_si128(),
      [&](__m128i& sum) {
        asm volatile("" : "+x"(a));  // new weights, as far as the compiler knows
        sum = _mm_add_epi32(sum, _mm_madd_epi16(a, b));
      },
      std::make_index_sequence<kChains>{});
  return static_cast<double>(rounds) * kChains * 8 * 2;
}

}  // namespace ridge
