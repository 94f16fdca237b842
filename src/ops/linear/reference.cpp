#include "ops/linear/linear.h"
#include "ops/linear/pack.h"

#include <vector>

namespace ridge {

void linear_reference(const LinearArgs& args, std::size_t output, double* y) {
  const Weight& weight = *args.weights[output];
  std::vector<float> row(static_cast<std::size_t>(weight.k));
  for (std::int64_t n = 0; n < weight.n; ++n) {
    unpack_row(weight, n, row.data());
    for (std::int64_t t = 0; t < args.x.size(0); ++t) {
      const float* x = args.x.data<float>() + t * weight.k;
      double sum = 0;
      for (std::int64_t k = 0; k < weight.k; ++k) sum += static_cast<double>(x[k]) * row[static_cast<std::size_t>(k)];
      if (args.biases[output].defined()) sum += args.biases[output].data<float>()[n];
      if (args.residual.defined()) sum += args.residual.data<float>()[t * weight.n + n];
      y[t * weight.n + n] = sum;
    }
  }
}

}  // namespace ridge
