#include "ops/rms_norm/rms_norm.h"

#include "core/error.h"
#include "ops/rms_norm/cpu.h"

namespace ridge {

void check(const RmsNormArgs& args) {
  require(args.x.rank() == 2 && args.x.dtype() == DType::f32 && (args.x.size(1) <= 1 || args.x.stride(1) == 1),
          "rms_norm: x must be [T, C] f32 with neighbouring channels, got {} {}", dtype_name(args.x.dtype()),
          to_string(args.x.shape()));
  require(args.weight.rank() == 1 && args.weight.dtype() == DType::f32 && args.weight.size(0) == args.x.size(1) &&
              args.weight.is_dense(),
          "rms_norm: weight must be [{}] f32, got {} {}", args.x.size(1), dtype_name(args.weight.dtype()),
          to_string(args.weight.shape()));
  require(args.eps > 0, "rms_norm: eps must be positive, got {}", args.eps);
}

Cost cost(const RmsNormArgs& args) {
  const auto elements = static_cast<double>(args.x.elements());
  Cost cost;
  cost.least.read(args.x.data<void>(), 4 * elements);
  cost.least.read(args.weight.data<void>(), 4 * static_cast<double>(args.weight.elements()));
  cost.least.write(nullptr, 4 * elements);
  cost.least[Arithmetic::f32] = 4 * elements;
  cost.actual = cost.least;
  cost.shape = {"rms_norm", static_cast<double>(args.x.size(0)), static_cast<double>(args.x.size(1))};
  return cost;
}

Tensor rms_norm(const Exec& exec, const RmsNormArgs& args) {
  check(args);
  Tensor y = exec.empty(args.x.shape(), DType::f32);
  exec.run(
      "rms_norm", {args.x.size(0), args.x.size(1)}, [&] { return cost(args); },
      [&] { rms_norm_cpu(exec.pool(), args, y); });
  return y;
}

}  // namespace ridge
