// What this CPU can do, and which of the compiled instruction-set paths the kernels take.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge {

// Each path is a set of files (x_avx2.cpp, x_avx512.cpp); portable is plain C++.
enum class CpuPath : int { portable, avx2, avx512 };
inline constexpr int kCpuPaths = 3;

std::string_view cpu_path_name(CpuPath path);

// avx2 needs AVX2, FMA and F16C; avx512 needs those and AVX-512 F, BW, VL, DQ and VNNI.
bool cpu_path_supported(CpuPath path);

// The widest supported path, or the one that RIDGE_CPU_PATH names; chosen once. Throws Error when that name is unknown
// or this CPU lacks the instructions.
CpuPath cpu_path();

// "AMD EPYC 9454", as the CPU calls itself.
std::string cpu_model_name();

// The instruction sets that matter to kernels, as far as CPU and operating system offer them: "avx2", "avx512f",
// "avx512_vnni", "avx512_bf16", "amx_int8", …
std::vector<std::string> cpu_features();

// One of an operator's functions, by the path chosen.
template <class Function>
Function choose_path(Function portable, Function avx2, Function avx512) {
  switch (cpu_path()) {
    case CpuPath::avx512:
      return avx512;
    case CpuPath::avx2:
      return avx2;
    case CpuPath::portable:
      break;
  }
  return portable;
}

}  // namespace ridge
