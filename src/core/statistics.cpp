#include "core/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace ridge {
namespace {

double quantile_of_sorted(std::span<const double> sorted, double q) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

std::vector<double> sorted_copy(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

double quantile(std::span<const double> samples, double q) {
  return quantile_of_sorted(sorted_copy(samples), q);
}

Summary summarize(std::span<const double> samples) {
  const std::vector<double> sorted = sorted_copy(samples);
  return {.median = quantile_of_sorted(sorted, 0.5),
          .low = quantile_of_sorted(sorted, 0.25),
          .high = quantile_of_sorted(sorted, 0.75),
          .min = quantile_of_sorted(sorted, 0),
          .max = quantile_of_sorted(sorted, 1)};
}

}  // namespace ridge
