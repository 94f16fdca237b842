// The CPU paths of silu_mul.
#pragma once

#include "ops/silu_mul/silu_mul.h"

namespace ridge {

void silu_mul_cpu(ThreadPool& pool, const SiluMulArgs& args, const Tensor& y);

// `count` neighbouring elements; y may be gate.
using SiluMulRun = void (*)(const float* gate, const float* up, std::int64_t count, float* y);
void silu_mul_run_portable(const float* gate, const float* up, std::int64_t count, float* y);
void silu_mul_run_avx2(const float* gate, const float* up, std::int64_t count, float* y);
void silu_mul_run_avx512(const float* gate, const float* up, std::int64_t count, float* y);

}  // namespace ridge
