#include "lab/op_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge {
namespace {

// A trace of more calls than this is too large to look at.
constexpr std::size_t kMostSpans = 1000000;

std::string span_name(const OpCall& call) {
  std::string name = call.op;
  for (std::size_t i = 0; i < call.dims.size() && call.dims[i] != 0; ++i) {
    name += fmt::format("{}{}", i == 0 ? " " : "x", call.dims[i]);
  }
  return name;
}

}  // namespace

void OpTable::on_op(const OpCall& call, double start, double end) {
  const Charge charge = timeline_.weigh(call);
  OpRow& row = rows_[call.cost.shape.variant];
  ++row.calls;
  row.measured_s += end - start;
  row.expected_s += charge.expected_s;
  row.bound_s += charge.least.bound_s();
  row.calibrated = charge.calibrated;
  least_.add(charge.least);
  bytes_ += call.cost.least.bytes();
  if (keep_spans_ && spans_.size() < kMostSpans) spans_.push_back({span_name(call), start, end, charge.expected_s});
}

void OpTable::restart() {
  rows_.clear();
  least_ = {};
  bytes_ = 0;
  spans_.clear();
}

std::vector<OpRow> OpTable::rows() const {
  std::vector<OpRow> rows;
  for (const auto& [variant, row] : rows_) {
    rows.push_back(row);
    rows.back().variant = variant;
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const OpRow& a, const OpRow& b) { return a.measured_s > b.measured_s; });
  return rows;
}

}  // namespace ridge
