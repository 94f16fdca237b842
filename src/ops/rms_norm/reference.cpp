#include "ops/rms_norm/rms_norm.h"

#include <cmath>

namespace ridge {

void rms_norm_reference(const RmsNormArgs& args, double* y) {
  const std::int64_t channels = args.x.size(1);
  for (std::int64_t t = 0; t < args.x.size(0); ++t) {
    const float* x = args.x.data<float>() + t * args.x.stride(0);
    double squares = 0;
    for (std::int64_t c = 0; c < channels; ++c) squares += static_cast<double>(x[c]) * x[c];
    const double scale = 1 / std::sqrt(squares / static_cast<double>(channels) + args.eps);
    for (std::int64_t c = 0; c < channels; ++c) y[t * channels + c] = x[c] * scale * args.weight.data<float>()[c];
  }
}

}  // namespace ridge
