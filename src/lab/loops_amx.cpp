#include "lab/loops.h"

#include <immintrin.h>

namespace ridge {
namespace {

// Palette 1: all eight tiles of 16 rows of 64 bytes.
struct alignas(64) TileConfig {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

// Six sums of 16 by 16, so that none waits for itself; tiles 6 and 7 are the factors.
constexpr int kSums = 6;
constexpr double kOutputs = 16 * 16;

void open_tiles() {
  const TileConfig config;
  asm volatile("" : : "m"(config));  // all of it is read: GCC 12's intrinsic speaks of its first eight bytes only
  _tile_loadconfig(&config);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_zero(4);
  _tile_zero(5);
  _tile_zero(6);
  _tile_zero(7);
}

}  // namespace

double peak_i8_amx(std::int64_t rounds) {
  open_tiles();
  for (std::int64_t round = 0; round < rounds; ++round) {
    _tile_dpbusd(0, 6, 7);
    _tile_dpbusd(1, 6, 7);
    _tile_dpbusd(2, 6, 7);
    _tile_dpbusd(3, 6, 7);
    _tile_dpbusd(4, 6, 7);
    _tile_dpbusd(5, 6, 7);
  }
  _tile_release();
  return static_cast<double>(rounds) * kSums * kOutputs * 64 * 2;
}

double peak_bf16_amx(std::int64_t rounds) {
  open_tiles();
  for (std::int64_t round = 0; round < rounds; ++round) {
    _tile_dpbf16ps(0, 6, 7);
    _tile_dpbf16ps(1, 6, 7);
    _tile_dpbf16ps(2, 6, 7);
    _tile_dpbf16ps(3, 6, 7);
    _tile_dpbf16ps(4, 6, 7);
    _tile_dpbf16ps(5, 6, 7);
  }
  _tile_release();
  return static_cast<double>(rounds) * kSums * kOutputs * 32 * 2;
}

}  // namespace ridge
