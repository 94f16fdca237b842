// Operator by operator: what calls took (or would take), beside what they should and what they must.
#pragma once

#include "device/virtual/timeline.h"

#include <map>
#include <string>
#include <vector>

namespace ridge {

struct OpRow {
  std::string variant;  // "linear/q4_1"
  std::int64_t calls = 0;
  double measured_s = 0;  // on a virtual device the same as expected
  double expected_s = 0;
  double bound_s = 0;
  bool calibrated = true;
};

struct OpSpan {
  std::string name;  // "linear 1x576x576"
  double start_s = 0;
  double end_s = 0;
  double expected_s = 0;
};

// Watches an Exec and weighs every call as the virtual device does. `machine` stays alive.
class OpTable final : public OpObserver {
 public:
  explicit OpTable(const MachineModel& machine, bool keep_spans = false)
      : timeline_(machine), keep_spans_(keep_spans) {}

  void on_op(const OpCall& call, double start, double end) override;

  // Forgets rows and spans, not what lies in caches.
  void restart();

  // Longest first.
  [[nodiscard]] std::vector<OpRow> rows() const;
  // Compulsory work since restart().
  [[nodiscard]] const ResourceTime& least() const { return least_; }
  // Bytes of compulsory work since restart().
  [[nodiscard]] double bytes() const { return bytes_; }
  [[nodiscard]] const std::vector<OpSpan>& spans() const { return spans_; }

 private:
  Timeline timeline_;
  bool keep_spans_;
  std::map<std::string, OpRow> rows_;
  ResourceTime least_;
  double bytes_ = 0;
  std::vector<OpSpan> spans_;
};

}  // namespace ridge
