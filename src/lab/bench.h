// Measured prefill and decode, each beside its prediction.
#pragma once

#include "core/statistics.h"
#include "lab/ceilings.h"
#include "lab/predict.h"
#include "lab/probe.h"
#include "lab/report.h"

#include <optional>
#include <vector>

namespace ridge {

struct BenchOptions {
  std::int64_t prompt = 512;    // 0: no prefill
  std::int64_t generate = 128;  // 0: no decode
  std::int64_t depth = 0;
  std::vector<std::int64_t> batches = {1};
  int repetitions = 5;
  DType kv_dtype = DType::f16;
  bool as_f32 = false;  // how `model` was loaded
  ProgressCallback progress = nullptr;
};

struct BenchRow {
  Phase phase;
  std::vector<double> tokens_per_s;  // of each repetition
  Summary measured;                  // of those
  double expected_tokens_per_s = 0;  // at the rates read around the repetitions
  double expected_at_ceilings = 0;   // were the machine undisturbed
  double bound_tokens_per_s = 0;
  double bytes_per_s = 0;  // compulsory bytes over the median time
  RateNow now;             // median of the rates, as shares of the ceilings
  double others = 0;       // share of the machine's cores that other processes took meanwhile
  std::vector<std::string> uncalibrated;

  [[nodiscard]] double fraction_of_bound() const { return measured.median / bound_tokens_per_s; }
  [[nodiscard]] double error() const { return measured.median / expected_tokens_per_s - 1; }
  // Beyond measurement error: a ceiling, a count or a clock is wrong.
  [[nodiscard]] bool beats_bound() const { return fraction_of_bound() > 1.03; }
};

struct Bench {
  std::string machine;
  std::string model;
  int threads = 1;
  std::vector<BenchRow> rows;
  bool raised = false;  // `machine` saw rates above its ceilings; keep it
};

// Runs on `device`, where `model` is loaded from `source`. Bandwidth and integer peak are read again for a fraction of
// a second around every repetition; rates above the machine's ceilings lift them before anything is predicted.
Bench bench(MachineModel& machine, Device& device, const Model& model, const ModelSource& source,
            const BenchOptions& options);

// `results` is a list of {phase, batch, tokens, measured_tokens_per_s, expected_tokens_per_s, bound_tokens_per_s, …}.
Json to_json(const Bench& bench);

// The table, then warnings: interference, uncalibrated operators, bounds that were beaten.
std::string to_text(const Bench& bench, TableStyle style);

// Measured speeds beside those of an earlier to_json() document: change, and whether it is beyond both spreads. Throws
// Error naming what is wrong with the document.
std::string compare(const Bench& bench, const Json& earlier, const std::string& what, TableStyle style);

}  // namespace ridge
