#include "lab/predict.h"
#include "lab/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ridge {
namespace {

Json phase_json(const PhasePrediction& phase) {
  Json operators = Json::array();
  for (const OpRow& row : phase.operators) {
    operators.push_back(Json{{"operator", row.variant},
                             {"calls", row.calls},
                             {"expected_s", row.expected_s},
                             {"bound_s", row.bound_s},
                             {"calibrated", row.calibrated}});
  }
  return Json{{"phase", phase.phase.name()},
              {"batch", phase.phase.batch},
              {"tokens", phase.phase.tokens},
              {"depth", phase.phase.depth},
              {"expected_tokens_per_s", phase.expected_tokens_per_s()},
              {"bound_tokens_per_s", phase.bound_tokens_per_s()},
              {"limiter", phase.limiter},
              {"expected_s", phase.expected_s},
              {"bound_s", phase.bound_s},
              {"bytes", phase.bytes},
              {"uncalibrated", phase.uncalibrated},
              {"operators", operators}};
}

void add_operators(TextTable& table, const PhasePrediction& phase) {
  for (const OpRow& row : phase.operators) {
    table.add({phase.phase.name(), row.variant, std::to_string(row.calls),
               row.calibrated ? format_ms(row.expected_s) : "uncalibrated", format_ms(row.bound_s),
               format_percent(row.expected_s / phase.expected_s)});
  }
}

}  // namespace

Json to_json(const Prediction& prediction) {
  Json phases = Json::array();
  for (const PhasePrediction& phase : prediction.phases) phases.push_back(phase_json(phase));
  Json memory = Json::object();
  for (std::size_t kind = 0; kind < kMemoryKinds; ++kind) {
    memory[std::string(memory_kind_name(static_cast<MemoryKind>(kind)))] = prediction.peak_bytes[kind];
  }
  return Json{{"machine", prediction.machine},
              {"model", prediction.model},
              {"phases", phases},
              {"memory", memory},
              {"memory_total_bytes", prediction.total_peak_bytes},
              {"machine_memory_bytes", prediction.memory_bytes},
              {"largest_context", prediction.largest_context},
              {"largest_batch", prediction.largest_batch}};
}

std::string to_text(const Prediction& prediction) {
  TextTable phases({"phase", "batch", "tokens", "expected tok/s", "bound tok/s", "limited by"});
  TextTable operators({"phase", "operator", "calls", "expected ms", "bound ms", "share"});
  for (const PhasePrediction& phase : prediction.phases) {
    phases.add({phase.phase.name(), std::to_string(phase.phase.batch), std::to_string(phase.phase.tokens),
                fmt::format("{:.1f}", phase.expected_tokens_per_s()), fmt::format("{:.1f}", phase.bound_tokens_per_s()),
                phase.limiter});
    add_operators(operators, phase);
  }
  TextTable memory({"memory", "peak MB"});
  for (std::size_t kind = 0; kind < kMemoryKinds; ++kind) {
    if (prediction.peak_bytes[kind] == 0) continue;
    memory.add({std::string(memory_kind_name(static_cast<MemoryKind>(kind))),
                fmt::format("{:.1f}", prediction.peak_bytes[kind] / 1e6)});
  }
  memory.add({"together", fmt::format("{:.1f}", prediction.total_peak_bytes / 1e6)});
  return fmt::format("{} on {}\n\n{}\n{}\n{}\nLargest context that fits: {} tokens; largest batch: {} sequences\n",
                     prediction.model, prediction.machine, phases.text(), operators.text(), memory.text(),
                     prediction.largest_context, prediction.largest_batch);
}

}  // namespace ridge
