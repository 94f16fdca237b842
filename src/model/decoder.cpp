#include "model/decoder.h"

#include "core/error.h"
#include "ops/attention/attention.h"
#include "ops/embedding/embedding.h"
#include "ops/gather_rows/gather_rows.h"
#include "ops/linear/linear.h"
#include "ops/rms_norm/rms_norm.h"
#include "ops/rope/rope.h"
#include "ops/silu_mul/silu_mul.h"

#include <cmath>

namespace ridge {
namespace {

// One forward: what every layer of it needs.
struct Forward {
  const Exec& exec;
  const ModelConfig& config;
  const Batch& batch;
  Tensor rotation;  // [T, R] cosines and sines of the rows' positions

  [[nodiscard]] Tensor norm(const Tensor& x, const Tensor& weight) const {
    return rms_norm(exec, {.x = x, .weight = weight, .eps = config.norm_eps});
  }

  [[nodiscard]] Tensor rotate(Tensor x) const {
    return rope(exec,
                {.x = std::move(x), .table = rotation, .head_size = config.head_size, .pairs = config.rope_pairs});
  }

  // x + attention(norm(x))
  [[nodiscard]] Tensor attend(const Tensor& x, const LayerWeights& layer, const KvLayer& cache) const {
    const Tensor h = norm(x, layer.attention_norm);  // [T, C]
    auto [q, k, v, none] = linear(exec, {.x = h, .weights = {&layer.query, &layer.key, &layer.value}});
    q = rotate(std::move(q));  // [T, H * D]
    k = rotate(std::move(k));  // [T, Hkv * D]
    kv_append(exec, {.keys = k, .values = v, .cache = &cache, .slots = batch.slots});
    const Tensor mixed = attention(exec, {.q = q,  // [T, H * D]
                                          .cache = &cache,
                                          .view = batch.view,
                                          .heads = config.heads,
                                          .scale = 1.0F / std::sqrt(static_cast<float>(config.head_size))});
    return linear(exec, {.x = mixed, .weights = {&layer.attention_output}, .residual = x})[0];  // [T, C]
  }

  // x + down(silu(gate(norm(x))) * up(norm(x)))
  [[nodiscard]] Tensor feed_forward(const Tensor& x, const LayerWeights& layer) const {
    const Tensor h = norm(x, layer.feed_forward_norm);  // [T, C]
    auto [gate, up, none, no_more] = linear(exec, {.x = h, .weights = {&layer.gate, &layer.up}});
    const Tensor inner = silu_mul(exec, {.gate = std::move(gate), .up = up});       // [T, F]
    return linear(exec, {.x = inner, .weights = {&layer.down}, .residual = x})[0];  // [T, C]
  }
};

}  // namespace

Tensor decoder_forward(const Exec& exec, const ModelConfig& config, const DecoderWeights& weights, const KvCache& cache,
                       const Batch& batch) {
  const Forward forward{exec, config, batch,
                        rope_table(exec, {.positions = batch.positions, .frequencies = weights.rope_frequencies})};
  Tensor x = embedding(exec, {.table = &weights.token_embedding, .tokens = batch.tokens});  // [T, C]
  for (std::size_t l = 0; l < weights.layers.size(); ++l) {
    x = forward.attend(x, weights.layers[l], cache.layers[l]);
    x = forward.feed_forward(x, weights.layers[l]);
  }
  const Tensor wanted = gather_rows(exec, {.x = x, .rows = batch.logit_rows});  // [R, C]
  return linear(exec, {.x = forward.norm(wanted, weights.output_norm),          // [R, V]
                       .weights = {&weights.output},
                       .output = MemoryKind::logits})[0];
}

KvCache make_kv_cache(const Exec& exec, const ModelConfig& config, std::int32_t blocks, std::int32_t block_size,
                      DType dtype) {
  require(blocks > 0 && block_size > 0, "kv cache: {} blocks of {} tokens; both must be positive", blocks, block_size);
  require(dtype == DType::f16 || dtype == DType::f32, "kv cache: must be f16 or f32, got {}", dtype_name(dtype));
  KvCache cache{.layers = {}, .block_size = block_size, .blocks = blocks};
  for (std::int64_t l = 0; l < config.layers; ++l) {
    cache.layers.push_back(
        {.keys = exec.empty({blocks, config.kv_heads, config.head_size, block_size}, dtype, MemoryKind::kv),
         .values = exec.empty({blocks, config.kv_heads, block_size, config.head_size}, dtype, MemoryKind::kv)});
  }
  return cache;
}

}  // namespace ridge
