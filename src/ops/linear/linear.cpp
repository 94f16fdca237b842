#include "ops/linear/linear.h"

#include "core/error.h"
#include "ops/linear/cpu.h"
#include "ops/linear/pack.h"

namespace ridge {
namespace {

std::size_t output_count(const LinearArgs& args) {
  std::size_t count = 0;
  while (count < kMaxLinearOutputs && args.weights[count] != nullptr) ++count;
  return count;
}

// The name by which the efficiency of a format is kept.
const char* variant(Format format) {
  switch (format) {
    case Format::f32:
      return "linear/f32";
    case Format::f16:
      return "linear/f16";
    case Format::bf16:
      return "linear/bf16";
    case Format::q4_0:
      return "linear/q4_0";
    case Format::q4_1:
      return "linear/q4_1";
    case Format::q8_0:
      return "linear/q8_0";
  }
  return "linear";
}

void check_output(const LinearArgs& args, std::size_t i) {
  const Weight& weight = *args.weights[i];
  require(weight.k == args.x.size(1), "linear: weight {} has {} columns, x has {}", i, weight.k, args.x.size(1));
  require(weight.bytes.bytes() == packed_bytes(weight.format, weight.n, weight.k), "linear: weight {} is not packed",
          i);
  const Tensor& bias = args.biases[i];
  require(!bias.defined() || (bias.rank() == 1 && bias.size(0) == weight.n && bias.dtype() == DType::f32),
          "linear: bias {} must be [{}] f32, got {} {}", i, weight.n, dtype_name(bias.dtype()),
          to_string(bias.shape()));
}

}  // namespace

void check(const LinearArgs& args) {
  require(args.x.rank() == 2 && args.x.dtype() == DType::f32 && args.x.is_dense(),
          "linear: x must be [T, K] f32 and dense, got {} {}", dtype_name(args.x.dtype()), to_string(args.x.shape()));
  const std::size_t count = output_count(args);
  require(count > 0, "linear: no weight given");
  for (std::size_t i = 0; i < count; ++i) check_output(args, i);
  if (!args.residual.defined()) return;
  require(count == 1, "linear: a residual needs a single weight, got {}", count);
  require(args.residual.shape() == Shape({args.x.size(0), args.weights[0]->n}) && args.residual.is_dense() &&
              args.residual.dtype() == DType::f32,
          "linear: residual must be [{}, {}] f32 and dense, got {} {}", args.x.size(0), args.weights[0]->n,
          dtype_name(args.residual.dtype()), to_string(args.residual.shape()));
}

Cost cost(const LinearArgs& args) {
  const auto t = static_cast<double>(args.x.size(0));
  const auto k = static_cast<double>(args.x.size(1));
  Cost cost;
  cost.least.read(args.x.data<void>(), 4 * t * k);
  const Weight* largest = args.weights[0];
  double outputs = 0;
  for (std::size_t i = 0; i < output_count(args); ++i) {
    const Weight& weight = *args.weights[i];
    const auto n = static_cast<double>(weight.n);
    // A step that wants no logits reads no output matrix.
    if (t > 0) cost.least.read(weight.bytes.data<void>(), n * static_cast<double>(row_bytes(weight.format, weight.k)));
    const Arithmetic type = packed_format(weight.format).bits == 0 ? Arithmetic::f32 : Arithmetic::i8;
    cost.least[type] += 2 * t * n * k;
    outputs += n;
    if (weight.n > largest->n) largest = &weight;
  }
  if (args.residual.defined()) cost.least.read(args.residual.data<void>(), 4 * t * outputs);
  cost.least.write(nullptr, 4 * t * outputs);
  cost.actual = cost.least;
  cost.shape = {variant(largest->format), t, outputs * k};
  return cost;
}

LinearOutputs linear(const Exec& exec, const LinearArgs& args) {
  check(args);
  LinearOutputs y;
  std::int64_t outputs = 0;
  for (std::size_t i = 0; i < output_count(args); ++i) {
    y[i] = exec.empty({args.x.size(0), args.weights[i]->n}, DType::f32, args.output);
    outputs += args.weights[i]->n;
  }
  // Taken here and not in the kernel, so that a virtual device counts it too.
  Tensor workspace;
  if (const std::int64_t bytes = linear_workspace_bytes(args); bytes != 0) {
    workspace = exec.empty({bytes}, DType::i8, MemoryKind::workspace);
  }
  exec.run(
      "linear", {args.x.size(0), outputs, args.x.size(1)}, [&] { return cost(args); },
      [&] { linear_cpu(exec.pool(), args, workspace, y); });
  return y;
}

}  // namespace ridge
