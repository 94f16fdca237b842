// Runs a layer's tests on the CPU path that RIDGE_CPU_PATH names; on a machine without it, says so and exits with 77.
#include "core/env.h"
#include "device/cpu/path.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace {

constexpr int kSkipped = 77;

bool forced_path_is_missing() {
  const auto forced = ridge::environment("RIDGE_CPU_PATH");
  for (int i = 0; forced && i < ridge::kCpuPaths; ++i) {
    const auto path = static_cast<ridge::CpuPath>(i);
    if (*forced == ridge::cpu_path_name(path)) return !ridge::cpu_path_supported(path);
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (forced_path_is_missing()) {
    fmt::print("SKIPPED: {} lacks the {} path\n", ridge::cpu_model_name(), *ridge::environment("RIDGE_CPU_PATH"));
    return kSkipped;
  }
  fmt::print("CPU path: {}\n", ridge::cpu_path_name(ridge::cpu_path()));
  return RUN_ALL_TESTS();
}
