// Thirty-two 4-bit integers in sixteen bytes, as GGUF's 4-bit formats store them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ridge {

// Element k is in the low half of byte k; element k + 16 is in the high half of byte k.
using Nibbles = std::array<std::uint8_t, 16>;

constexpr int nibble(const Nibbles& nibbles, std::size_t k) {
  return k < 16 ? nibbles[k] & 15 : nibbles[k - 16] >> 4;
}

constexpr void set_nibble(Nibbles& nibbles, std::size_t k, std::uint8_t value) {
  std::uint8_t& byte = nibbles[k % 16];
  byte = static_cast<std::uint8_t>(k < 16 ? (byte & 0xf0) | value : (byte & 0x0f) | (value << 4));
}

// Truncates towards zero and clips to 0..15; a NaN gives 0.
constexpr std::uint8_t to_nibble(float value) {
  if (value >= 15.0F) return 15;
  return value > 0.0F ? static_cast<std::uint8_t>(value) : std::uint8_t{0};
}

}  // namespace ridge
