#include "lab/profile.h"

#include "lab/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace ridge {
namespace {

double gap(const OpRow& row) {
  return row.measured_s - row.bound_s;
}

double total_gap(const ProfilePhase& phase) {
  double total = 0;
  for (const OpRow& row : phase.rows) total += gap(row);
  return total;
}

OpRow host_row(const MachineModel& machine, const ProfilePhase& phase) {
  OpRow host{.variant = "host"};
  host.measured_s = phase.measured_s;
  for (const OpRow& row : phase.rows) host.measured_s -= row.measured_s;
  host.measured_s = std::max(0.0, host.measured_s);
  const double steps = phase.phase.decode ? static_cast<double>(phase.phase.tokens) : 1;
  host.calls = static_cast<std::int64_t>(steps);
  const double sampled = phase.phase.decode ? phase.phase.total_tokens() : static_cast<double>(phase.phase.batch);
  host.expected_s = steps * machine.host_step_s + sampled * machine.host_token_s;
  return host;
}

ProfilePhase profile_phase(const MachineModel& machine, Device& device, const Model& model, const Phase& phase,
                           DType kv_dtype) {
  OpTable table(machine, true);
  PhaseRunner runner(Exec(device, &table), model, phase, kv_dtype);
  runner.warm_up();
  if (!phase.decode) runner.run();
  ProfilePhase result;
  result.phase = phase;
  result.measured_s = runner.run([&] { table.restart(); });
  result.bound_s = table.least().bound_s();
  result.rows = table.rows();
  result.rows.push_back(host_row(machine, result));
  result.spans = table.spans();
  return result;
}

}  // namespace

Profile profile(const MachineModel& machine, Device& device, const Model& model, const std::string& model_name,
                const std::vector<Phase>& phases, DType kv_dtype) {
  Profile profile{machine.name, model_name, {}};
  for (const Phase& phase : phases) {
    profile.phases.push_back(profile_phase(machine, device, model, phase, kv_dtype));
  }
  return profile;
}

Json to_json(const Profile& profile) {
  Json phases = Json::array();
  for (const ProfilePhase& phase : profile.phases) {
    Json operators = Json::array();
    for (const OpRow& row : phase.rows) {
      operators.push_back(Json{{"operator", row.variant},
                               {"calls", row.calls},
                               {"measured_s", row.measured_s},
                               {"expected_s", row.expected_s},
                               {"bound_s", row.bound_s},
                               {"calibrated", row.calibrated},
                               {"share_of_gap", gap(row) / total_gap(phase)}});
    }
    phases.push_back(Json{{"phase", phase.phase.name()},
                          {"batch", phase.phase.batch},
                          {"tokens", phase.phase.tokens},
                          {"measured_s", phase.measured_s},
                          {"bound_s", phase.bound_s},
                          {"operators", operators}});
  }
  return Json{{"machine", profile.machine}, {"model", profile.model}, {"phases", phases}};
}

std::string to_text(const Profile& profile) {
  std::string text = fmt::format("{} on {}\n", profile.model, profile.machine);
  for (const ProfilePhase& phase : profile.phases) {
    text += fmt::format("\n{}: {} tokens, batch {}: measured {} ms, bound {} ms ({} of the bound)\n",
                        phase.phase.name(), phase.phase.tokens, phase.phase.batch, format_ms(phase.measured_s),
                        format_ms(phase.bound_s), format_percent(phase.bound_s / phase.measured_s));
    TextTable table({"operator", "calls", "measured ms", "expected ms", "bound ms", "share of gap"});
    for (const OpRow& row : phase.rows) {
      table.add({row.variant, std::to_string(row.calls), format_ms(row.measured_s),
                 row.calibrated ? format_ms(row.expected_s) : "uncalibrated", format_ms(row.bound_s),
                 format_percent(gap(row) / total_gap(phase))});
    }
    text += table.text();
  }
  return text;
}

Json to_trace(const Profile& profile) {
  constexpr double kMicroseconds = 1e6;
  Json events = Json::array();
  double origin = -1;
  for (std::size_t p = 0; p < profile.phases.size(); ++p) {
    const ProfilePhase& phase = profile.phases[p];
    events.push_back(
        Json{{"ph", "M"}, {"name", "thread_name"}, {"pid", 1}, {"tid", p}, {"args", {{"name", phase.phase.name()}}}});
    for (const OpSpan& span : phase.spans) {
      if (origin < 0) origin = span.start_s;
      events.push_back(Json{{"ph", "X"},
                            {"name", span.name},
                            {"pid", 1},
                            {"tid", p},
                            {"ts", (span.start_s - origin) * kMicroseconds},
                            {"dur", (span.end_s - span.start_s) * kMicroseconds},
                            {"args", {{"expected_us", span.expected_s * kMicroseconds}}}});
    }
  }
  return Json{{"traceEvents", events}, {"displayTimeUnit", "ms"}};
}

}  // namespace ridge
