// Rotary position embedding: each pair of channels of a head is turned by position * frequency.
// Source: Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021, equation 34.
#pragma once

#include "ops/exec.h"

#include <span>

namespace ridge {

struct RopeTableArgs {
  std::span<const std::int32_t> positions;  // [T], each >= 0
  std::span<const float> frequencies;       // [D/2] radians per position: theta^(-2i/D), scaled where the model says so
};

void check(const RopeTableArgs& args);
Cost cost(const RopeTableArgs& args);

// [T, D] f32: cosines of the D/2 angles, then their sines. Angles are formed in double and rounded once.
Tensor rope_table(const Exec& exec, const RopeTableArgs& args);

void rope_table_reference(const RopeTableArgs& args, double* table);

// Which of a head's R turned channels form pair i: (2i, 2i + 1), or (i, i + R/2) as in GPT-NeoX.
enum class RopePairs : std::uint8_t { neighbours, halves };

struct RopeArgs {
  Tensor x;      // [T, H * D] f32, dense
  Tensor table;  // [T, R] f32 of rope_table, R <= D: the first R channels of each head turn, the rest pass through
  std::int64_t head_size = 0;  // D
  RopePairs pairs = RopePairs::neighbours;
};

void check(const RopeArgs& args);
Cost cost(const RopeArgs& args);

// [T, H * D] f32; written over x where exec allows it.
Tensor rope(const Exec& exec, const RopeArgs& args);

void rope_reference(const RopeArgs& args, double* y);

}  // namespace ridge
