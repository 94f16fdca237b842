#include "ops/silu_mul/silu_mul.h"

#include <cmath>

namespace ridge {

void silu_mul_reference(const SiluMulArgs& args, double* y) {
  for (std::int64_t i = 0; i < args.gate.elements(); ++i) {
    const double gate = args.gate.data<float>()[i];
    y[i] = gate / (1 + std::exp(-gate)) * args.up.data<float>()[i];
  }
}

}  // namespace ridge
