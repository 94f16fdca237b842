#include "device/machine_model.h"

#include "core/error.h"

#include <algorithm>
#include <cmath>

namespace ridge {
namespace {

double interpolate(const std::vector<BandwidthPoint>& curve, double footprint_bytes) {
  const auto above = std::find_if(curve.begin(), curve.end(), [&](const BandwidthPoint& point) {
    return point.footprint_bytes >= footprint_bytes;
  });
  if (above == curve.begin()) return above->bytes_per_s;
  if (above == curve.end()) return curve.back().bytes_per_s;
  const BandwidthPoint& below = *(above - 1);
  const double along =
      std::log(footprint_bytes / below.footprint_bytes) / std::log(above->footprint_bytes / below.footprint_bytes);
  return below.bytes_per_s * std::pow(above->bytes_per_s / below.bytes_per_s, along);
}

// A point of the space in which efficiencies are interpolated. The rate stands for the footprint: what matters is which
// memory answers, and the curve knows that.
constexpr std::size_t kAxes = 3;
using Place = std::array<double, kAxes>;

Place place_of(const MachineModel& machine, double rows, double size, double footprint_bytes) {
  return {std::log2(rows), std::log2(size), 2 * std::log2(machine.read_rate(footprint_bytes))};
}

struct Sample {
  Place place;
  double value = 0;
};

// Moves a place into the box that the samples span: flat outside.
Place inside(Place place, const std::vector<Sample>& samples) {
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const auto [low, high] = std::minmax_element(samples.begin(), samples.end(), [&](const Sample& a, const Sample& b) {
      return a.place[axis] < b.place[axis];
    });
    place[axis] = std::clamp(place[axis], low->place[axis], high->place[axis]);
  }
  return place;
}

// Solves the symmetric positive definite system a x = b by Cholesky's method and returns x[0].
template <std::size_t N>
double first_of_solution(std::array<std::array<double, N>, N> a, std::array<double, N> b) {
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
      a[i][j] = i == j ? std::sqrt(sum) : sum / a[j][j];
    }
  }
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = N; i-- > 0;) {
    for (std::size_t k = i + 1; k < N; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return b[0];
}

// The plane through the samples that fits best near `at` (locally weighted regression, Cleveland 1979, with weights
// 1 / distance^4), read at `at`. Passes through the samples; slopes are damped, so that few samples give their mean.
double local_plane(const std::vector<Sample>& samples, const Place& at) {
  constexpr std::size_t kTerms = kAxes + 1;
  constexpr double kDamping = 1e-3;
  std::array<std::array<double, kTerms>, kTerms> a{};
  std::array<double, kTerms> b{};
  double total = 0;
  for (const Sample& sample : samples) {
    std::array<double, kTerms> row{1};
    double square = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      row[axis + 1] = sample.place[axis] - at[axis];
      square += row[axis + 1] * row[axis + 1];
    }
    const double weight = 1 / (1e-8 + square * square);
    total += weight;
    for (std::size_t i = 0; i < kTerms; ++i) {
      for (std::size_t j = 0; j < kTerms; ++j) a[i][j] += weight * row[i] * row[j];
      b[i] += weight * row[i] * sample.value;
    }
  }
  for (std::size_t i = 1; i < kTerms; ++i) a[i][i] += kDamping * total;
  return first_of_solution(a, b);
}

}  // namespace

double MachineModel::read_rate(double footprint_bytes) const {
  require(!read_curve.empty(), "machine {}: no read bandwidth was measured", name);
  return interpolate(read_curve, footprint_bytes);
}

double MachineModel::read_rate_now(double footprint_bytes) const {
  const double rate = read_rate(footprint_bytes);
  const double fastest = read_curve.front().bytes_per_s;
  const double slowest = read_curve.back().bytes_per_s;
  if (now.memory == 1 || fastest <= slowest) return rate * now.memory;
  // Between cache and memory, seconds per byte move along with the share of bytes that memory answers.
  const double from_memory = (1 / rate - 1 / fastest) / (1 / slowest - 1 / fastest);
  return 1 / (1 / rate + from_memory * (1 / now.memory - 1) / slowest);
}

std::optional<double> MachineModel::efficiency(const ShapeClass& shape, double footprint_bytes) const {
  const auto found = efficiencies.find(shape.variant);
  if (found == efficiencies.end() || found->second.empty()) return std::nullopt;
  std::vector<Sample> samples;
  double lowest = 1;
  double highest = 0;
  for (const EfficiencyPoint& point : found->second) {
    samples.push_back({place_of(*this, point.rows, point.size, point.footprint_bytes), std::log(point.efficiency)});
    lowest = std::min(lowest, point.efficiency);
    highest = std::max(highest, point.efficiency);
  }
  const Place at =
      inside(place_of(*this, std::max(shape.rows, 1e-9), std::max(shape.size, 1e-9), footprint_bytes), samples);
  return std::clamp(std::exp(local_plane(samples, at)), lowest, highest);
}

}  // namespace ridge
