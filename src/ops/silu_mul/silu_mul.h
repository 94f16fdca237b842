// y[t, f] = gate[t, f] / (1 + exp(-gate[t, f])) * up[t, f]   (Shazeer, "GLU Variants Improve Transformer", 2020:
// SwiGLU)
#pragma once

#include "ops/exec.h"

namespace ridge {

struct SiluMulArgs {
  Tensor gate;  // [T, F] f32, dense
  Tensor up;    // [T, F] f32, dense
};

void check(const SiluMulArgs& args);
Cost cost(const SiluMulArgs& args);

// [T, F] f32, dense; written over gate where exec allows it.
Tensor silu_mul(const Exec& exec, const SiluMulArgs& args);

void silu_mul_reference(const SiluMulArgs& args, double* y);

}  // namespace ridge
