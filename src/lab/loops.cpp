#include "lab/loops.h"

#include <algorithm>
#include <string>

namespace ridge {
namespace {

bool has_feature(const char* name) {
  static const std::vector<std::string> features = cpu_features();
  return std::find(features.begin(), features.end(), name) != features.end();
}

}  // namespace

std::vector<ReadLoop> read_loops() {
  if (cpu_path_supported(CpuPath::avx512)) {
    return {read_plain_avx512, read_prefetched_avx512, read_streams_avx512, read_streams_avx2};
  }
  if (cpu_path_supported(CpuPath::avx2)) return {read_plain_avx2, read_prefetched_avx2, read_streams_avx2};
  return {read_plain_portable};
}

std::vector<CopyLoop> copy_loops() {
  if (cpu_path_supported(CpuPath::avx512)) return {copy_plain_avx512, copy_around_avx512};
  if (cpu_path_supported(CpuPath::avx2)) return {copy_plain_avx2, copy_around_avx2};
  return {copy_plain_portable};
}

std::vector<Peak> peak_loops() {
  std::vector<Peak> peaks = {{"f32 sse2", Arithmetic::f32, CpuPath::portable, peak_f32_portable},
                             {"i8 sse2", Arithmetic::i8, CpuPath::portable, peak_i8_portable}};
  if (cpu_path_supported(CpuPath::avx2)) {
    peaks.push_back({"f32 avx2", Arithmetic::f32, CpuPath::avx2, peak_f32_avx2});
    peaks.push_back({"i8 avx2", Arithmetic::i8, CpuPath::avx2, peak_i8_avx2});
  }
  if (cpu_path_supported(CpuPath::avx512)) {
    peaks.push_back({"f32 avx512", Arithmetic::f32, CpuPath::avx512, peak_f32_avx512});
    peaks.push_back({"i8 avx512_vnni", Arithmetic::i8, CpuPath::avx512, peak_i8_avx512});
  }
  if (has_feature("avx_vnni")) peaks.push_back({"i8 avx_vnni", Arithmetic::i8, {}, peak_i8_avxvnni});
  if (has_feature("avx512_bf16")) peaks.push_back({"bf16 avx512_bf16", Arithmetic::bf16, {}, peak_bf16_avx512bf16});
  if (has_feature("amx_int8")) peaks.push_back({"i8 amx", Arithmetic::i8, {}, peak_i8_amx});
  if (has_feature("amx_bf16")) peaks.push_back({"bf16 amx", Arithmetic::bf16, {}, peak_bf16_amx});
  return peaks;
}

}  // namespace ridge
