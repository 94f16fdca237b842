// Writes the keys and values of a step into the paged cache.
#pragma once

#include "ops/exec.h"

#include <span>

namespace ridge {

// The cache of one layer. Keys are stored transposed, so that scores of neighbouring positions are computed side by
// side and each score keeps one accumulator.
struct KvLayer {
  Tensor keys;    // [blocks, Hkv, D, block_size] f16 or f32
  Tensor values;  // [blocks, Hkv, block_size, D] f16 or f32
};

// Throws Error, in the name of `op`, unless keys and values fit each other.
void check(const KvLayer& cache, const char* op);

struct KvAppendArgs {
  Tensor keys;    // [T, Hkv * D] f32, dense, already rotated
  Tensor values;  // [T, Hkv * D] f32, dense
  const KvLayer* cache = nullptr;
  std::span<const std::int32_t> slots;  // [T]: block * block_size + offset, each slot once
};

void check(const KvAppendArgs& args);
Cost cost(const KvAppendArgs& args);

// Rounds to the cache's type, to nearest even.
void kv_append(const Exec& exec, const KvAppendArgs& args);

// The truth: what the rows' slots hold afterwards, [T, Hkv * D] each.
void kv_append_reference(const KvAppendArgs& args, double* keys, double* values);

}  // namespace ridge
