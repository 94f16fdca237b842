// y[r, c] = x[rows[r], c]: the rows whose logits are wanted.
#pragma once

#include "ops/exec.h"

#include <span>

namespace ridge {

struct GatherRowsArgs {
  Tensor x;                            // [T, C] f32, dense
  std::span<const std::int32_t> rows;  // [R], each in [0, T)
};

void check(const GatherRowsArgs& args);
Cost cost(const GatherRowsArgs& args);

// [R, C] f32, dense.
Tensor gather_rows(const Exec& exec, const GatherRowsArgs& args);

void gather_rows_reference(const GatherRowsArgs& args, double* y);

}  // namespace ridge
