// A prediction is the program itself, run on paper: the model's own forward through the engine on a virtual device.
#pragma once

#include "lab/op_table.h"
#include "lab/phase.h"
#include "model/model.h"

#include <string>
#include <vector>

namespace ridge {

struct PredictOptions {
  std::int64_t prompt = 512;    // 0: no prefill
  std::int64_t generate = 128;  // 0: no decode
  std::int64_t depth = 0;       // tokens held when decoding begins
  std::int64_t batch = 1;
  DType kv_dtype = DType::f16;
  bool as_f32 = false;
};

struct PhasePrediction {
  Phase phase;
  double bound_s = 0;        // compulsory work of the largest resource at its ceiling
  const char* limiter = "";  // that resource
  double expected_s = 0;     // at the machine's present rate (MachineModel::now)
  double bytes = 0;          // compulsory
  std::vector<OpRow> operators;
  std::vector<std::string> uncalibrated;  // charged at their bound

  [[nodiscard]] double bound_tokens_per_s() const { return phase.total_tokens() / bound_s; }
  [[nodiscard]] double expected_tokens_per_s() const { return phase.total_tokens() / expected_s; }
};

struct Prediction {
  std::string machine;
  std::string model;
  std::vector<PhasePrediction> phases;            // prefill, decode: those asked for
  std::array<double, kMemoryKinds> peak_bytes{};  // by MemoryKind, of the largest phase
  double total_peak_bytes = 0;
  double memory_bytes = 0;           // of the machine
  std::int64_t largest_context = 0;  // tokens that fit in memory at this batch, at most the model's
  std::int64_t largest_batch = 0;    // sequences of prompt + generate tokens that fit in memory
};

// Throws Error when the phases do not fit in the model's context.
Prediction predict(const MachineModel& machine, const ModelSource& source, const PredictOptions& options);

// One phase of a model that is loaded on a virtual device already.
PhasePrediction predict_phase(Device& paper, const Model& model, const Phase& phase, DType kv_dtype);

Json to_json(const Prediction& prediction);
// Tables of phases, operators and memory.
std::string to_text(const Prediction& prediction);

}  // namespace ridge
