#include "lab/machine_store.h"

#include "core/env.h"
#include "core/error.h"
#include "device/cpu/path.h"
#include "lab/calibrate.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace ridge {
namespace {

constexpr std::size_t kMostFileBytes = std::size_t{16} << 20;

// FNV-1a, so that the name stays the same from one build to the next.
std::uint64_t hash_of(const std::vector<std::string>& texts) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const std::string& text : texts) {
    for (const char c : text + "\n") hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  return hash;
}

std::string as_file_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  return name;
}

void keep_best(std::vector<BandwidthPoint>& curve, const std::vector<BandwidthPoint>& earlier) {
  for (BandwidthPoint& point : curve) {
    for (const BandwidthPoint& seen : earlier) {
      if (seen.footprint_bytes == point.footprint_bytes)
        point.bytes_per_s = std::max(point.bytes_per_s, seen.bytes_per_s);
    }
  }
  raise_to_later(curve);
}

}  // namespace

MachineModel describe_machine(int threads) {
  MachineModel machine;
  machine.cpu = cpu_model_name();
  machine.features = cpu_features();
  machine.path = cpu_path_name(cpu_path());
  machine.threads = threads;
  machine.name = fmt::format("{}, {} thread{}, {}", machine.cpu, threads, threads == 1 ? "" : "s", machine.path);
  machine.memory_bytes = static_cast<double>(physical_memory_bytes());
  return machine;
}

MachineModel measure_machine(int threads, double budget_s, const ProgressCallback& progress) {
  constexpr double kCeilingShare = 0.4;
  MachineModel machine = describe_machine(threads);
  const auto device = Device::cpu(threads);
  const auto part = [&](double from, double to) -> ProgressCallback {
    if (!progress) return nullptr;
    return [&progress, from, to](double fraction) { progress(from + (to - from) * fraction); };
  };
  measure_ceilings(machine, *device, {.budget_s = kCeilingShare * budget_s, .progress = part(0, kCeilingShare)});
  calibrate_host(machine);
  const std::vector<OpInfo> operators = all_operators();
  calibrate(machine, *device, operators,
            {.budget_s = (1 - kCeilingShare) * budget_s, .progress = part(kCeilingShare, 1)});
  return machine;
}

std::string machine_file(int threads) {
  const MachineModel machine = describe_machine(threads);
  return fmt::format("{}/machines/{}-{:08x}-{}-{}.json", cache_directory(), as_file_name(machine.cpu),
                     hash_of(machine.features) & 0xFFFFFFFF, machine.path, threads);
}

std::optional<MachineModel> load_machine(int threads, std::string& why_not) {
  const std::string path = machine_file(threads);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    why_not = fmt::format("this machine was not measured with {} thread{} yet", threads, threads == 1 ? "" : "s");
    return std::nullopt;
  }
  try {
    return read_machine(path);
  } catch (const Error& broken) {
    why_not = broken.what();
    return std::nullopt;
  }
}

MachineModel read_machine(const std::string& path) {
  return MachineModel::from_json(read_json(path, kMostFileBytes), path);
}

void save_machine(const MachineModel& machine, const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  require(!error, "{}: cannot make the folder: {}", folder.string(), error.message());
  write_json(path, machine.to_json());
}

void keep_best(MachineModel& machine, const MachineModel& earlier) {
  keep_best(machine.read_curve, earlier.read_curve);
  keep_best(machine.copy_curve, earlier.copy_curve);
  keep_best(machine.single_read_curve, earlier.single_read_curve);
  keep_best(machine.single_copy_curve, earlier.single_copy_curve);
  for (std::size_t i = 0; i < kArithmetics; ++i) {
    machine.operations_per_s[i] = std::max(machine.operations_per_s[i], earlier.operations_per_s[i]);
  }
  for (const auto& [loop, rate] : earlier.peaks) machine.peaks[loop] = std::max(machine.peaks[loop], rate);
}

}  // namespace ridge
