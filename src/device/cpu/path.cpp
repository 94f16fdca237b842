#include "device/cpu/path.h"

#include "core/env.h"
#include "core/error.h"

#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace ridge {
namespace {

struct Leaf {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

Leaf cpuid(unsigned leaf, unsigned subleaf) {
  Leaf out;
  __get_cpuid_count(leaf, subleaf, &out.eax, &out.ebx, &out.ecx, &out.edx);
  return out;
}

bool bit(unsigned word, unsigned index) {
  return ((word >> index) & 1U) != 0;
}

// The kernel hands out the 8 KiB of AMX tile state only to processes that ask for it.
bool amx_permitted() {
  constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long kTileData = 18;               // XFEATURE_XTILEDATA
  return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

CpuPath widest_path() {
  for (const CpuPath path : {CpuPath::avx512, CpuPath::avx2}) {
    if (cpu_path_supported(path)) return path;
  }
  return CpuPath::portable;
}

CpuPath decide_path() {
  const auto forced = environment("RIDGE_CPU_PATH");
  if (!forced) return widest_path();
  for (int i = 0; i < kCpuPaths; ++i) {
    const auto path = static_cast<CpuPath>(i);
    if (*forced != cpu_path_name(path)) continue;
    require(cpu_path_supported(path), "RIDGE_CPU_PATH: this CPU ({}) lacks the instructions of the {} path",
            cpu_model_name(), *forced);
    return path;
  }
  fail("RIDGE_CPU_PATH: must be portable, avx2 or avx512, got {}", *forced);
}

}  // namespace

std::string_view cpu_path_name(CpuPath path) {
  constexpr std::array<std::string_view, kCpuPaths> kNames = {"portable", "avx2", "avx512"};
  return kNames[static_cast<std::size_t>(path)];
}

bool cpu_path_supported(CpuPath path) {
  // __builtin_cpu_supports also asks whether the operating system saves the wide registers.
  const bool avx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && bit(cpuid(1, 0).ecx, 29) /* F16C */;
  switch (path) {
    case CpuPath::portable:
      return true;
    case CpuPath::avx2:
      return avx2;
    case CpuPath::avx512:
      return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vnni");
  }
  return false;
}

CpuPath cpu_path() {
  static const CpuPath path = decide_path();
  return path;
}

std::string cpu_model_name() {
  std::array<char, 49> name{};
  for (unsigned i = 0; i < 3; ++i) {
    const Leaf leaf = cpuid(0x80000002U + i, 0);
    std::memcpy(name.data() + 16 * i, &leaf, sizeof leaf);
  }
  std::string text(name.data());
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text.empty() ? "unknown CPU" : text;
}

std::vector<std::string> cpu_features() {
  const Leaf leaf1 = cpuid(1, 0);
  const Leaf leaf7 = cpuid(7, 0);
  const Leaf leaf7_1 = cpuid(7, 1);
  const bool wide = __builtin_cpu_supports("avx512f") != 0;
  std::vector<std::string> features;
  const auto add = [&](bool present, const char* name) {
    if (present) features.emplace_back(name);
  };
  add(__builtin_cpu_supports("avx2"), "avx2");
  add(__builtin_cpu_supports("fma"), "fma");
  add(bit(leaf1.ecx, 29), "f16c");
  add(bit(leaf7_1.eax, 4), "avx_vnni");
  add(wide, "avx512f");
  add(wide && bit(leaf7.ebx, 30), "avx512bw");
  add(wide && bit(leaf7.ebx, 31), "avx512vl");
  add(wide && bit(leaf7.ebx, 17), "avx512dq");
  add(wide && bit(leaf7.ecx, 11), "avx512_vnni");
  add(wide && bit(leaf7_1.eax, 5), "avx512_bf16");
  const bool tiles = bit(leaf7.edx, 24) && amx_permitted();
  add(tiles && bit(leaf7.edx, 25), "amx_int8");
  add(tiles && bit(leaf7.edx, 22), "amx_bf16");
  return features;
}

}  // namespace ridge
