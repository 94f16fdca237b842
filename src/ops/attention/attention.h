// Causal attention of a step's rows over the paged cache, grouped-query:
//   y[t, h] = sum over p <= position(t) of softmax_p(scale * q[t, h] . key[p, h / G]) * value[p, h / G],  G = H / Hkv
// Source: Vaswani et al. 2017, section 3.2.1; Ainslie et al. 2023 (grouped queries); Milakov and Gimelshein 2018
// (merging softmax parts).
#pragma once

#include "core/step.h"
#include "ops/exec.h"
#include "ops/kv_append/kv_append.h"

namespace ridge {

struct AttentionArgs {
  Tensor q;                        // [T, H * D] f32, dense
  const KvLayer* cache = nullptr;  // holds the step's own keys and values already
  PagedView view;                  // rows of slice s are the last `rows` of its `context` positions
  std::int64_t heads = 0;          // H, a multiple of the cache's Hkv
  float scale = 0;                 // 1 / sqrt(D) as a rule
};

void check(const AttentionArgs& args);
Cost cost(const AttentionArgs& args);

// [T, H * D] f32, dense. Works in spans of kAttentionSpan positions counted from position 0, merged in ascending order,
// alike for prefill and decode: a row's result is bitwise the same for any chunk, batch, block size and thread count.
Tensor attention(const Exec& exec, const AttentionArgs& args);

inline constexpr std::int64_t kAttentionSpan = 128;

void attention_reference(const AttentionArgs& args, double* y);

}  // namespace ridge
