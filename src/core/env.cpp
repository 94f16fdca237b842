#include "core/env.h"

#include "core/error.h"

#include <cstdlib>
#include <string_view>

namespace ridge {
namespace {

constexpr EnvironmentVariable kVariables[] = {
    {"RIDGE_CPU_PATH", "portable, avx2 or avx512: forces the CPU path that kernels take"},
    {"RIDGE_CACHE", "folder for measured machines (default: $XDG_CACHE_HOME/ridge or ~/.cache/ridge)"},
    {"XDG_CACHE_HOME", "the user's cache folder"},
    {"HOME", "the user's home folder"},
    {"NO_COLOR", "any value: no colour and no progress bars"},
};

}  // namespace

std::span<const EnvironmentVariable> environment_variables() {
  return kVariables;
}

std::optional<std::string> environment(const char* name) {
  for (const EnvironmentVariable& variable : kVariables) {
    if (std::string_view(variable.name) != name) continue;
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  }
  fail("environment: {} is not in the table of core/env.cpp", name);
}

std::string cache_directory() {
  if (const auto directory = environment("RIDGE_CACHE")) return *directory;
  if (const auto directory = environment("XDG_CACHE_HOME")) return *directory + "/ridge";
  if (const auto home = environment("HOME")) return *home + "/.cache/ridge";
  fail("cache: none of RIDGE_CACHE, XDG_CACHE_HOME and HOME is set");
}

}  // namespace ridge
