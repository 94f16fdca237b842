#include "core/rng.h"

#include <cmath>
#include <numbers>

namespace ridge {
namespace {

std::array<std::uint32_t, 4> philox_at(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  const auto high = [](std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32U); };
  return philox({low(index), high(index), low(stream), high(stream)}, {low(seed), high(seed)});
}

float to_uniform(std::uint32_t bits) {
  return static_cast<float>(bits >> 8U) * 0x1p-24F;
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53U;
  constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57U;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9U;
  constexpr std::uint32_t kWeyl1 = 0xBB67AE85U;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter[0];
    const std::uint64_t product1 = kMultiplier1 * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32U) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32U) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

float philox_uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return to_uniform(philox_at(seed, stream, index)[0]);
}

std::uint32_t PhiloxStream::bits() {
  const std::uint64_t index = index_++;
  return philox_at(seed_, stream_, index / 4)[index % 4];
}

float PhiloxStream::uniform() {
  return to_uniform(bits());
}

float PhiloxStream::normal() {
  const float radius = std::sqrt(-2.0F * std::log(1.0F - uniform()));
  return radius * std::cos(2.0F * std::numbers::pi_v<float> * uniform());
}

std::uint32_t PhiloxStream::below(std::uint32_t limit) {
  return static_cast<std::uint32_t>((std::uint64_t{bits()} * limit) >> 32U);
}

}  // namespace ridge
