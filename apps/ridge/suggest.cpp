#include "suggest.h"

#include <algorithm>
#include <numeric>

namespace ridge::app {
namespace {

std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view given, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t fewest = std::max<std::size_t>(2, given.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t count = edits(given, candidate);
    if (count < fewest) {
      fewest = count;
      best = candidate;
    }
  }
  return best;
}

}  // namespace ridge::app
