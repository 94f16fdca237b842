#include "ops/case.h"

#include "core/error.h"
#include "core/rng.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ridge {

CheckReport compare(std::span<const float> got, std::span<const double> expected, std::span<const double> tolerance) {
  require(got.size() == expected.size() && got.size() == tolerance.size(),
          "compare: {} results, {} expected, {} tolerances", got.size(), expected.size(), tolerance.size());
  CheckReport report;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double error = std::fabs(static_cast<double>(got[i]) - expected[i]);
    const bool within = error <= tolerance[i];
    double far = within ? (error == 0 ? 0 : error / tolerance[i]) : std::numeric_limits<double>::infinity();
    if (!within && std::isfinite(error) && tolerance[i] > 0) far = error / tolerance[i];
    if (i != 0 && far <= report.worst) continue;
    report.worst = far;
    report.message = fmt::format("element {}: expected {}, got {}, tolerance {}", i, expected[i], got[i], tolerance[i]);
  }
  return report;
}

Tensor random_tensor(Device& device, const Shape& shape, std::uint64_t seed, float scale) {
  Tensor tensor = device.memory().allocate(shape, DType::f32, MemoryKind::activations);
  if (device.kind() != DeviceKind::cpu) return tensor;
  PhiloxStream random(seed);
  std::generate_n(tensor.data<float>(), tensor.elements(), [&] { return random.normal() * scale; });
  return tensor;
}

Tensor nan_tensor(Device& device, const Shape& shape) {
  Tensor tensor = device.memory().allocate(shape, DType::f32, MemoryKind::activations);
  if (device.kind() != DeviceKind::cpu) return tensor;
  std::fill_n(tensor.data<float>(), tensor.elements(), std::numeric_limits<float>::quiet_NaN());
  return tensor;
}

}  // namespace ridge
