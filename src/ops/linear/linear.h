// y_i[t, n] = sum over k of x[t, k] * W_i[n, k]  (+ bias_i[n]) (+ residual[t, n])
//
// One call takes several weights of one input (Q, K and V; gate and up), because they share one quantised activation
// even where the file mixes formats.
#pragma once

#include "formats/weight.h"
#include "ops/exec.h"

#include <array>

namespace ridge {

inline constexpr std::size_t kMaxLinearOutputs = 4;

struct LinearArgs {
  Tensor x;                                              // [T, K] f32, dense
  std::array<const Weight*, kMaxLinearOutputs> weights;  // [N_i, K] each; null from the first unused one on
  std::array<Tensor, kMaxLinearOutputs> biases = {};     // [N_i] f32, undefined: none
  Tensor residual = {};                                  // [T, N_0] f32, dense; only with a single weight
  MemoryKind output = MemoryKind::activations;
};

using LinearOutputs = std::array<Tensor, kMaxLinearOutputs>;  // [T, N_i] f32, dense

// Throws Error when shapes, types or counts disagree.
void check(const LinearArgs& args);

Cost cost(const LinearArgs& args);

// Float formats (f32, f16, bf16): one accumulator per output, fma in ascending k.
// Block formats: x is quantised to int8 per row and group of 32 (scale = max |x| / 127); products are summed exactly in
// integers per group, then groups are accumulated with fma in ascending k, one accumulator per output. So a result
// depends on its own row alone and is bitwise the same on every CPU path, for any T and any number of threads. A group
// whose largest magnitude is below 2^-118 counts as zeros. A row of x that holds NaN or an infinity gives NaN in all of
// its outputs with a block format; with a float format, as its products say.
LinearOutputs linear(const Exec& exec, const LinearArgs& args);

// The truth: plain loops in double over the dequantised weight and the unquantised input. `y` has T * N_i elements.
void linear_reference(const LinearArgs& args, std::size_t output, double* y);

}  // namespace ridge
