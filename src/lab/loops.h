// Loops whose rates are ceilings: cyclic reads and copies of memory, and arithmetic in registers.
#pragma once

#include "device/cost.h"
#include "device/cpu/path.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ridge {

// Parts that a loop works on are multiples of this and start at one.
inline constexpr std::size_t kLoopBytes = 4096;

// Reads `bytes` from `data`, `passes` times.
using ReadLoop = void (*)(const std::byte* data, std::size_t bytes, std::int64_t passes);

// Copies `bytes`, `passes` times.
using CopyLoop = void (*)(std::byte* to, const std::byte* from, std::size_t bytes, std::int64_t passes);

// Computes in registers for `rounds` rounds and returns how many operations that was (a multiply-add is two).
using PeakLoop = double (*)(std::int64_t rounds);

struct Peak {
  const char* name;             // "i8 avx512_vnni"
  Arithmetic type;              // of the multiplications
  std::optional<CpuPath> path;  // the narrowest path whose kernels may use these instructions; none: no path does yet
  PeakLoop run;
};

// Those that this CPU can run, whatever path is chosen.
std::vector<ReadLoop> read_loops();
std::vector<CopyLoop> copy_loops();
std::vector<Peak> peak_loops();

// One set of loops for each instruction set: plain, with software prefetch, and in four streams at once; stores that go
// through the caches and stores that go around them.
void read_plain_portable(const std::byte* data, std::size_t bytes, std::int64_t passes);
void copy_plain_portable(std::byte* to, const std::byte* from, std::size_t bytes, std::int64_t passes);
double peak_f32_portable(std::int64_t rounds);
double peak_i8_portable(std::int64_t rounds);

void read_plain_avx2(const std::byte* data, std::size_t bytes, std::int64_t passes);
void read_prefetched_avx2(const std::byte* data, std::size_t bytes, std::int64_t passes);
void read_streams_avx2(const std::byte* data, std::size_t bytes, std::int64_t passes);
void copy_plain_avx2(std::byte* to, const std::byte* from, std::size_t bytes, std::int64_t passes);
void copy_around_avx2(std::byte* to, const std::byte* from, std::size_t bytes, std::int64_t passes);
double peak_f32_avx2(std::int64_t rounds);
// Products of u8 and s8 are added in 16 bits eight times before they are widened, as four-bit weights allow.
double peak_i8_avx2(std::int64_t rounds);

void read_plain_avx512(const std::byte* data, std::size_t bytes, std::int64_t passes);
void read_prefetched_avx512(const std::byte* data, std::size_t bytes, std::int64_t passes);
void read_streams_avx512(const std::byte* data, std::size_t bytes, std::int64_t passes);
void copy_plain_avx512(std::byte* to, const std::byte* from, std::size_t bytes, std::int64_t passes);
void copy_around_avx512(std::byte* to, const std::byte* from, std::size_t bytes, std::int64_t passes);
double peak_f32_avx512(std::int64_t rounds);
double peak_i8_avx512(std::int64_t rounds);

double peak_bf16_avx512bf16(std::int64_t rounds);
double peak_i8_avxvnni(std::int64_t rounds);
double peak_i8_amx(std::int64_t rounds);
double peak_bf16_amx(std::int64_t rounds);

}  // namespace ridge
