#include "ops/attention/cpu.h"

#include <immintrin.h>

#include <limits>

namespace ridge {
namespace {

#include "device/cpu/simd_avx512.inc"
#include "ops/attention/cpu_blocks.inc"
#include "ops/attention/cpu_kernel.inc"

}  // namespace

void attention_spans_avx512(const AttentionTile& tile, std::int64_t first, std::int64_t last) {
  attend_spans(tile, first, last);
}

void attention_merge_avx512(const AttentionTile& tile, std::int64_t spans) {
  merge_spans(tile, spans);
}

}  // namespace ridge
