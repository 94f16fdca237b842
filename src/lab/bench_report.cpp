#include "core/error.h"
#include "lab/bench.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <set>

namespace ridge {
namespace {

constexpr double kMuchInterference = 0.05;

Json row_json(const BenchRow& row) {
  return Json{{"phase", row.phase.name()},
              {"batch", row.phase.batch},
              {"tokens", row.phase.tokens},
              {"depth", row.phase.depth},
              {"measured_tokens_per_s", row.measured.median},
              {"expected_tokens_per_s", row.expected_tokens_per_s},
              {"bound_tokens_per_s", row.bound_tokens_per_s},
              {"expected_at_ceilings_tokens_per_s", row.expected_at_ceilings},
              {"fraction_of_bound", row.fraction_of_bound()},
              {"bytes_per_s", row.bytes_per_s},
              {"relative_spread", row.measured.relative_spread()},
              {"samples", row.tokens_per_s},
              {"memory_now", row.now.memory},
              {"arithmetic_now", row.now.arithmetic},
              {"other_processes", row.others},
              {"uncalibrated", row.uncalibrated}};
}

std::string warnings(const Bench& bench) {
  std::string text;
  std::set<std::string> uncalibrated;
  double others = 0;
  for (const BenchRow& row : bench.rows) {
    uncalibrated.insert(row.uncalibrated.begin(), row.uncalibrated.end());
    others = std::max(others, row.others);
    if (row.beats_bound()) {
      text += fmt::format("error: {} of batch {} beats its bound by {}: a ceiling or a count is wrong\n",
                          row.phase.name(), row.phase.batch, format_percent(row.fraction_of_bound() - 1));
    }
  }
  if (others > kMuchInterference) {
    text += fmt::format("warning: other processes used {} of the cores meanwhile\n", format_percent(others));
  }
  for (const std::string& variant : uncalibrated) {
    text += fmt::format("warning: {} is uncalibrated: expected at its bound\n", variant);
  }
  return text;
}

struct EarlierRow {
  std::string phase;
  double batch = 0;
  double tokens = 0;
  double depth = 0;
  double measured = 0;
  double spread = 0;
};

double positive(const Json& row, const char* key, const std::string& where, double least) {
  const auto found = row.find(key);
  require(found != row.end() && found->is_number() && found->get<double>() >= least && found->get<double>() < 1e18,
          "{}: {} must be a number of at least {}", where, key, least);
  return found->get<double>();
}

std::vector<EarlierRow> read_rows(const Json& document, const std::string& what) {
  constexpr std::size_t kMostRows = 10000;
  require(document.is_object() && document.contains("results") && document["results"].is_array() &&
              document["results"].size() <= kMostRows,
          "{}: must be a document of ridge bench --json with a list `results` of at most {} entries", what, kMostRows);
  std::vector<EarlierRow> rows;
  for (const Json& entry : document["results"]) {
    const std::string where = fmt::format("{}: results[{}]", what, rows.size());
    require(entry.is_object() && entry.contains("phase") && entry["phase"].is_string(), "{}: phase must be text",
            where);
    const double spread = entry.contains("relative_spread") ? positive(entry, "relative_spread", where, 0) : 0;
    rows.push_back({entry["phase"].get<std::string>(), positive(entry, "batch", where, 1),
                    positive(entry, "tokens", where, 1),
                    entry.contains("depth") ? positive(entry, "depth", where, 0) : 0,
                    positive(entry, "measured_tokens_per_s", where, 1e-9), spread});
  }
  return rows;
}

}  // namespace

Json to_json(const Bench& bench) {
  Json results = Json::array();
  for (const BenchRow& row : bench.rows) results.push_back(row_json(row));
  return Json{{"machine", bench.machine}, {"model", bench.model}, {"threads", bench.threads}, {"results", results}};
}

std::string to_text(const Bench& bench, TableStyle style) {
  TextTable table({"phase", "batch", "tokens", "measured tok/s", "spread", "expected", "error", "bound", "of bound",
                   "GB/s", "memory now", "int8 now"});
  for (const BenchRow& row : bench.rows) {
    table.add({row.phase.name(), std::to_string(row.phase.batch), std::to_string(row.phase.tokens),
               fmt::format("{:.1f}", row.measured.median), format_percent(row.measured.relative_spread()),
               fmt::format("{:.1f}", row.expected_tokens_per_s), fmt::format("{:+.1f} %", row.error() * 100),
               fmt::format("{:.1f}", row.bound_tokens_per_s), format_percent(row.fraction_of_bound()),
               fmt::format("{:.1f}", row.bytes_per_s / 1e9), format_percent(row.now.memory),
               format_percent(row.now.arithmetic)});
  }
  const std::string text = table.text(style);
  return style == TableStyle::csv ? text : text + warnings(bench);
}

std::string compare(const Bench& bench, const Json& earlier, const std::string& what, TableStyle style) {
  const std::vector<EarlierRow> rows = read_rows(earlier, what);
  TextTable table({"phase", "batch", "tokens", "before tok/s", "now tok/s", "change", "verdict"});
  for (const BenchRow& row : bench.rows) {
    for (const EarlierRow& before : rows) {
      if (before.phase != row.phase.name() || before.batch != static_cast<double>(row.phase.batch) ||
          before.tokens != static_cast<double>(row.phase.tokens) ||
          before.depth != static_cast<double>(row.phase.depth)) {
        continue;
      }
      const double change = row.measured.median / before.measured - 1;
      const double noise = std::max(0.01, before.spread + row.measured.relative_spread());
      const char* verdict = std::fabs(change) <= noise ? "same within the spread" : change > 0 ? "faster" : "slower";
      table.add({before.phase, std::to_string(row.phase.batch), std::to_string(row.phase.tokens),
                 fmt::format("{:.1f}", before.measured), fmt::format("{:.1f}", row.measured.median),
                 fmt::format("{:+.1f} %", change * 100), verdict});
    }
  }
  return table.text(style);
}

}  // namespace ridge
