// y[t, c] = table[tokens[t], c], gathered from the packed bytes of the table (a tied embedding has no second copy).
#pragma once

#include "formats/weight.h"
#include "ops/exec.h"

#include <span>

namespace ridge {

struct EmbeddingArgs {
  const Weight* table = nullptr;         // [V, C]
  std::span<const std::int32_t> tokens;  // [T], each in [0, V)
};

// Throws Error when a token is not in the table. On a virtual device tokens are not known and not checked.
void check(const EmbeddingArgs& args);
Cost cost(const EmbeddingArgs& args);

// [T, C] f32, dense.
Tensor embedding(const Exec& exec, const EmbeddingArgs& args);

void embedding_reference(const EmbeddingArgs& args, double* y);

}  // namespace ridge
