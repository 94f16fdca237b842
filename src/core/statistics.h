// Summaries of repeated measurements.
#pragma once

#include <span>

namespace ridge {

// Quantile q in [0, 1] by linear interpolation between order statistics (Hyndman and Fan, type 7). Empty gives NaN.
double quantile(std::span<const double> samples, double q);

struct Summary {
  double median = 0;
  double low = 0;   // first quartile
  double high = 0;  // third quartile
  double min = 0;
  double max = 0;
  // Half the interquartile range over the median.
  [[nodiscard]] double relative_spread() const { return median == 0 ? 0 : (high - low) / (2 * median); }
};

Summary summarize(std::span<const double> samples);

}  // namespace ridge
