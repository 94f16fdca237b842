#include "ops/silu_mul/silu_mul.h"

#include "core/error.h"
#include "ops/silu_mul/cpu.h"

namespace ridge {

void check(const SiluMulArgs& args) {
  require(args.gate.rank() == 2 && args.gate.dtype() == DType::f32 && args.gate.is_dense(),
          "silu_mul: gate must be [T, F] f32 and dense, got {} {}", dtype_name(args.gate.dtype()),
          to_string(args.gate.shape()));
  require(args.up.shape() == args.gate.shape() && args.up.dtype() == DType::f32 && args.up.is_dense(),
          "silu_mul: up must be {} f32 and dense as gate is, got {} {}", to_string(args.gate.shape()),
          dtype_name(args.up.dtype()), to_string(args.up.shape()));
}

// Five operations an element: negation, sum, quotient, product, and the exponential counted as one.
Cost cost(const SiluMulArgs& args) {
  const auto elements = static_cast<double>(args.gate.elements());
  Cost cost;
  cost.least.read(args.gate.data<void>(), 4 * elements);
  cost.least.read(args.up.data<void>(), 4 * elements);
  cost.least.write(nullptr, 4 * elements);
  cost.least[Arithmetic::f32] = 5 * elements;
  cost.actual = cost.least;
  cost.shape = {"silu_mul", static_cast<double>(args.gate.size(0)), static_cast<double>(args.gate.size(1))};
  return cost;
}

Tensor silu_mul(const Exec& exec, const SiluMulArgs& args) {
  check(args);
  Tensor y = exec.may_reuse(args.gate) ? args.gate : exec.empty(args.gate.shape(), DType::f32);
  exec.run(
      "silu_mul", {args.gate.size(0), args.gate.size(1)}, [&] { return cost(args); },
      [&] { silu_mul_cpu(exec.pool(), args, y); });
  return y;
}

}  // namespace ridge
