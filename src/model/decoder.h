// The decoder: one forward for every family, inference now and training later.
#pragma once

#include "core/step.h"
#include "formats/weight.h"
#include "model/config.h"
#include "ops/kv_append/kv_append.h"

#include <span>
#include <vector>

namespace ridge {

struct LayerWeights {
  Tensor attention_norm;     // [C]
  Weight query, key, value;  // [H * D, C], [Hkv * D, C] twice
  Weight attention_output;   // [C, H * D]
  Tensor feed_forward_norm;  // [C]
  Weight gate, up;           // [F, C]
  Weight down;               // [C, F]
};

struct DecoderWeights {
  Weight token_embedding;  // [V, C]
  std::vector<LayerWeights> layers;
  Tensor output_norm;  // [C]
  Weight output;       // [V, C]; shares the bytes of the embedding when tied
  std::vector<float> rope_frequencies;
};

// The keys and values of all sequences, by layer.
struct KvCache {
  std::vector<KvLayer> layers;
  std::int32_t block_size = 0;
  std::int32_t blocks = 0;
};

// Takes the memory of a cache. Contents are undefined: a position is written before it is read.
KvCache make_kv_cache(const Exec& exec, const ModelConfig& config, std::int32_t blocks, std::int32_t block_size,
                      DType dtype);

// The rows of a step. All spans have T elements but logit_rows.
struct Batch {
  std::span<const std::int32_t> tokens;
  std::span<const std::int32_t> positions;
  std::span<const std::int32_t> slots;       // where each row's key and value go: block * block_size + offset
  PagedView view;                            // slices cover the rows in order
  std::span<const std::int32_t> logit_rows;  // rows whose logits are wanted
};

// [R, V] f32 logits of the R wanted rows.
Tensor decoder_forward(const Exec& exec, const ModelConfig& config, const DecoderWeights& weights, const KvCache& cache,
                       const Batch& batch);

}  // namespace ridge
