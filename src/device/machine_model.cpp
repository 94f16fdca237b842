#include "device/machine_model.h"

#include "core/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace ridge {

double MachineModel::read_rate(double footprint_bytes) const {
  require(!read_curve.empty(), "machine {}: no read bandwidth was measured", name);
  const auto above = std::find_if(read_curve.begin(), read_curve.end(), [&](const BandwidthPoint& point) {
    return point.footprint_bytes >= footprint_bytes;
  });
  if (above == read_curve.begin()) return above->bytes_per_s;
  if (above == read_curve.end()) return read_curve.back().bytes_per_s;
  const BandwidthPoint& below = *(above - 1);
  const double along =
      std::log(footprint_bytes / below.footprint_bytes) / std::log(above->footprint_bytes / below.footprint_bytes);
  return std::lerp(below.bytes_per_s, above->bytes_per_s, along);
}

std::optional<double> MachineModel::efficiency(const ShapeClass& shape, double footprint_bytes) const {
  const auto found = efficiencies.find(shape.variant);
  if (found == efficiencies.end() || found->second.empty()) return std::nullopt;
  // Inverse-distance weights in the logarithms.
  double weights = 0;
  double sum = 0;
  for (const EfficiencyPoint& point : found->second) {
    const double rows = std::log2(shape.rows / point.rows);
    const double size = std::log2(shape.size / point.size);
    const double footprint = std::log2(std::min(footprint_bytes, 1e12) / std::max(point.footprint_bytes, 1.0));
    const double weight = 1 / (1e-6 + std::pow(rows * rows + size * size + footprint * footprint, 2));
    weights += weight;
    sum += weight * point.efficiency;
  }
  return sum / weights;
}

}  // namespace ridge
