// y[t, c] = x[t, c] / sqrt(mean over c of x[t, c]^2 + eps) * weight[c]
// Source: Zhang and Sennrich, "Root Mean Square Layer Normalization", NeurIPS 2019, equation 4.
#pragma once

#include "ops/exec.h"

namespace ridge {

struct RmsNormArgs {
  Tensor x;       // [T, C] f32, rows may be strided
  Tensor weight;  // [C] f32
  float eps = 0;  // > 0
};

// Throws Error when shapes or types disagree.
void check(const RmsNormArgs& args);

Cost cost(const RmsNormArgs& args);

// [T, C] f32, dense. The sum over C runs in sixteen lanes (c mod 16) and a fixed tree, so a row's result depends on
// that row alone.
Tensor rms_norm(const Exec& exec, const RmsNormArgs& args);

// The truth: plain loops in double. `y` has T * C elements.
void rms_norm_reference(const RmsNormArgs& args, double* y);

}  // namespace ridge
