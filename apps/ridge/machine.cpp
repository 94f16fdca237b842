#include "machine.h"

#include "common.h"
#include "core/error.h"
#include "core/progress.h"
#include "lab/machine_store.h"
#include "lab/report.h"

namespace ridge::app {

MachineModel own_machine(int threads) {
  std::string why_not;
  if (auto machine = load_machine(threads, why_not)) return *std::move(machine);
  fmt::print(stderr, "measuring this machine, at most 15 s ({})\n", why_not);
  constexpr double kBudgetSeconds = 13;
  ProgressBar bar("measuring");
  MachineModel machine = measure_machine(threads, kBudgetSeconds, [&](double fraction) { bar.update(fraction); });
  save_machine(machine, machine_file(threads));
  return machine;
}

MachineModel machine_of(const std::string& device, int threads) {
  constexpr std::string_view kVirtual = "virtual:";
  if (device == "cpu") return own_machine(threads);
  if (device.starts_with(kVirtual)) return read_machine(device.substr(kVirtual.size()));
  throw UsageError(fmt::format("--device must be cpu or virtual:FILE, got {}", device));
}

std::string describe_ceilings(const MachineModel& machine) {
  std::string text = fmt::format("{} ({} path)\n", machine.name, machine.path);
  TextTable curve({"footprint", "read GB/s", "copy GB/s"});
  for (std::size_t i = 0; i < machine.read_curve.size(); ++i) {
    const double copy = i < machine.copy_curve.size() ? machine.copy_curve[i].bytes_per_s : 0;
    curve.add({format_bytes(machine.read_curve[i].footprint_bytes),
               fmt::format("{:.1f}", machine.read_curve[i].bytes_per_s / 1e9),
               copy > 0 ? fmt::format("{:.1f}", copy / 1e9) : "-"});
  }
  text += curve.text();
  constexpr const char* kTypes[kArithmetics] = {"f32", "bf16", "i8"};
  for (std::size_t i = 0; i < kArithmetics; ++i) {
    if (machine.operations_per_s[i] > 0)
      text += fmt::format("{:<10} {:.1f} Gop/s\n", kTypes[i], machine.operations_per_s[i] / 1e9);
  }
  return text + fmt::format("fork/join  {:.2f} us\n", machine.fork_join_s * 1e6);
}

}  // namespace ridge::app
