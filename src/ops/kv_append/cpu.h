// The CPU paths of kv_append.
#pragma once

#include "ops/kv_append/kv_append.h"

namespace ridge {

void kv_append_cpu(ThreadPool& pool, const KvAppendArgs& args);

// One position of the cache. key_out and value_out point at its first channel of the first head.
struct KvPosition {
  const float* keys;    // [Hkv, D]
  const float* values;  // [Hkv, D]
  std::byte* key_out;   // channels `block_size` elements apart
  std::byte* value_out;
  std::int64_t heads;
  std::int64_t head_size;
  std::int64_t block_size;
  bool f16;  // else f32
};
using KvAppendPosition = void (*)(const KvPosition& position);
void kv_append_position_portable(const KvPosition& position);
void kv_append_position_avx2(const KvPosition& position);
void kv_append_position_avx512(const KvPosition& position);

}  // namespace ridge
