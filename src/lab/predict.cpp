#include "lab/predict.h"

#include <algorithm>
#include <limits>

namespace ridge {
namespace {

// Tokens of KV that fit beside weights and whatever else a step takes.
double tokens_that_fit(const Prediction& prediction, const ModelConfig& config, DType kv_dtype) {
  const double kv = prediction.peak_bytes[static_cast<std::size_t>(MemoryKind::kv)];
  const double free = prediction.memory_bytes - (prediction.total_peak_bytes - kv);
  return std::max(0.0, free / static_cast<double>(config.kv_bytes_per_token(kv_dtype)));
}

std::int64_t whole(double value) {
  return static_cast<std::int64_t>(std::min(value, 1e15));
}

}  // namespace

PhasePrediction predict_phase(Device& paper, const Model& model, const Phase& phase, DType kv_dtype) {
  OpTable table(paper.machine());
  PhaseRunner runner(Exec(paper, &table), model, phase, kv_dtype);
  runner.warm_up();
  if (!phase.decode) runner.run();  // operands lie where a step like this leaves them
  PhasePrediction prediction;
  prediction.phase = phase;
  prediction.expected_s = runner.run([&] {
    table.restart();
    paper.timeline().take_least();
  });
  const ResourceTime least = paper.timeline().take_least();
  prediction.bound_s = least.bound_s();
  prediction.limiter = least.limiter();
  prediction.bytes = table.bytes();
  prediction.operators = table.rows();
  for (const OpRow& row : prediction.operators) {
    if (!row.calibrated) prediction.uncalibrated.push_back(row.variant);
  }
  return prediction;
}

Prediction predict(const MachineModel& machine, const ModelSource& source, const PredictOptions& options) {
  const auto paper = Device::on_paper(machine);
  const Model model = load_model(Exec(*paper), source, {.as_f32 = options.as_f32, .progress = nullptr});
  Prediction prediction;
  prediction.machine = machine.name;
  prediction.model = source.name();
  prediction.memory_bytes = machine.memory_bytes;
  if (options.prompt > 0) {
    const Phase phase{.decode = false, .tokens = options.prompt, .batch = options.batch, .depth = 0};
    prediction.phases.push_back(predict_phase(*paper, model, phase, options.kv_dtype));
  }
  if (options.generate > 0) {
    const Phase phase{.decode = true, .tokens = options.generate, .batch = options.batch, .depth = options.depth};
    prediction.phases.push_back(predict_phase(*paper, model, phase, options.kv_dtype));
  }
  for (std::size_t kind = 0; kind < kMemoryKinds; ++kind) {
    prediction.peak_bytes[kind] = static_cast<double>(paper->memory().use(static_cast<MemoryKind>(kind)).peak_bytes);
  }
  prediction.total_peak_bytes = static_cast<double>(paper->memory().total().peak_bytes);
  const double fit = tokens_that_fit(prediction, model.config, options.kv_dtype);
  prediction.largest_context =
      std::min(model.config.context, whole(fit / static_cast<double>(std::max<std::int64_t>(options.batch, 1))));
  prediction.largest_batch =
      whole(fit / static_cast<double>(std::max<std::int64_t>(1, options.prompt + options.generate)));
  return prediction;
}

}  // namespace ridge
