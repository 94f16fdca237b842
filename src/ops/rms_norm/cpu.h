// The CPU paths of rms_norm.
#pragma once

#include "ops/rms_norm/rms_norm.h"

namespace ridge {

void rms_norm_cpu(ThreadPool& pool, const RmsNormArgs& args, const Tensor& y);

// One row of `channels` values.
using RmsNormRow = void (*)(const float* x, const float* weight, float eps, std::int64_t channels, float* y);
void rms_norm_row_portable(const float* x, const float* weight, float eps, std::int64_t channels, float* y);
void rms_norm_row_avx2(const float* x, const float* weight, float eps, std::int64_t channels, float* y);
void rms_norm_row_avx512(const float* x, const float* weight, float eps, std::int64_t channels, float* y);

}  // namespace ridge
