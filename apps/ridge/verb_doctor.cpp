// ridge doctor: what this machine offers and which paths are taken.
#include "common.h"
#include "core/env.h"
#include "core/error.h"
#include "device/cpu/path.h"
#include "verb.h"
#include "version.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <dlfcn.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>

#include <filesystem>
#include <memory>

namespace ridge::app {
namespace {

std::string gpu_state() {
  if (!std::filesystem::exists("/dev/nvidiactl")) return "none: no NVIDIA device on this machine";
  return "present, not used: this build has no CUDA kernels";
}

Json disk_state(const std::string& folder) {
  struct statvfs info {};
  std::filesystem::path place = folder;
  while (!place.empty() && !std::filesystem::exists(place) && place != place.parent_path()) place = place.parent_path();
  if (::statvfs(place.c_str(), &info) != 0) return nullptr;
  return static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
}

Json diagnose() {
  utsname system{};
  ::uname(&system);
  Json paths = Json::object();
  for (int i = 0; i < kCpuPaths; ++i) {
    const auto path = static_cast<CpuPath>(i);
    paths[std::string(cpu_path_name(path))] = cpu_path_supported(path) ? "supported" : "not on this CPU";
  }
  Json variables = Json::object();
  for (const EnvironmentVariable& variable : environment_variables()) {
    const auto value = environment(variable.name);
    variables[variable.name] = value ? Json(*value) : Json(nullptr);
  }
  const std::string cache = cache_directory();
  return {{"ridge", kVersion},
          {"compiler", __VERSION__},
          {"system", fmt::format("{} {}", system.sysname, system.release)},
          {"cpu", cpu_model_name()},
          {"features", cpu_features()},
          {"path", cpu_path_name(cpu_path())},
          {"paths", paths},
          {"cores", usable_cores()},
          {"memory_bytes", physical_memory_bytes()},
          {"free_memory_bytes", available_memory_bytes()},
          {"cache", cache},
          {"cache_free_bytes", disk_state(cache)},
          {"gpu", gpu_state()},
          {"environment", variables}};
}

}  // namespace

Action declare_doctor(CLI::App& command) {
  const auto json = std::make_shared<bool>(false);
  add_json(command, *json);
  return [json] {
    const Json document = diagnose();
    if (*json) {
      print_json(document);
      return 0;
    }
    for (const auto& [key, value] : document.items()) {
      fmt::print("{:<18} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
    }
    return 0;
  };
}

}  // namespace ridge::app
