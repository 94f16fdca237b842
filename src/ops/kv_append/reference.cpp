#include "ops/kv_append/kv_append.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ridge {
namespace {

// The nearest binary16, ties to even: 11 significant bits, none below 2^-24.
double rounded_to_f16(double x) {
  const int exponent = std::max(x == 0 ? 0 : std::ilogb(x), -14);
  const double unit = std::ldexp(1.0, exponent - 10);
  const double rounded = std::nearbyint(x / unit) * unit;
  if (std::fabs(rounded) < 65536) return rounded;
  return std::copysign(std::numeric_limits<double>::infinity(), x);
}

}  // namespace

void kv_append_reference(const KvAppendArgs& args, double* keys, double* values) {
  const bool f16 = args.cache->keys.dtype() == DType::f16;
  const auto stored = [f16](float x) { return f16 ? rounded_to_f16(x) : static_cast<double>(x); };
  std::transform(args.keys.data<float>(), args.keys.data<float>() + args.keys.elements(), keys, stored);
  std::transform(args.values.data<float>(), args.values.data<float>() + args.values.elements(), values, stored);
}

}  // namespace ridge
