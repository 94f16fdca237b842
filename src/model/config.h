// What a decoder is, as plain values. A family (families.cpp) fills it from a model file; nothing else asks which
// family.
#pragma once

#include "ops/rope/rope.h"

#include <cstdint>
#include <string>

namespace ridge {

struct ModelConfig {
  std::string architecture;       // as the file says: "llama"
  std::string name;               // general.name
  std::int64_t layers = 0;        // L
  std::int64_t channels = 0;      // C
  std::int64_t heads = 0;         // H
  std::int64_t kv_heads = 0;      // Hkv, divides H
  std::int64_t head_size = 0;     // D
  std::int64_t feed_forward = 0;  // F
  std::int64_t vocabulary = 0;    // V
  std::int64_t context = 0;       // most positions that the model was made for
  float norm_eps = 0;
  double rope_theta = 0;
  std::int64_t rope_size = 0;  // channels of a head that turn, even, <= D
  RopePairs rope_pairs = RopePairs::neighbours;
  bool tied_embedding = false;  // the output matrix is the token embedding

  // Keys and values of one token over all layers.
  [[nodiscard]] std::int64_t kv_bytes_per_token(DType dtype) const {
    return 2 * layers * kv_heads * head_size * static_cast<std::int64_t>(dtype_bytes(dtype));
  }
};

}  // namespace ridge
