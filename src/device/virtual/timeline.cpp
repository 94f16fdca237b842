#include "device/virtual/timeline.h"

#include <algorithm>
#include <limits>

namespace ridge {

void ResourceTime::add(const ResourceTime& other) {
  memory_s += other.memory_s;
  for (std::size_t i = 0; i < kArithmetics; ++i) arithmetic_s[i] += other.arithmetic_s[i];
}

double ResourceTime::bound_s() const {
  return std::max(memory_s, *std::max_element(arithmetic_s.begin(), arithmetic_s.end()));
}

const char* ResourceTime::limiter() const {
  constexpr std::array<const char*, kArithmetics> kNames = {"f32", "bf16", "i8"};
  const auto largest = std::max_element(arithmetic_s.begin(), arithmetic_s.end());
  if (*largest <= memory_s) return "memory";
  return kNames[static_cast<std::size_t>(largest - arithmetic_s.begin())];
}

double ReuseDistance::touch(const Touch& touch) {
  touched_bytes_ += touch.bytes;
  if (touch.key == nullptr) return touch.bytes;
  const auto [entry, first] = last_use_.try_emplace(touch.key, touched_bytes_);
  if (first) return std::numeric_limits<double>::infinity();
  const double distance = touched_bytes_ - entry->second;
  entry->second = touched_bytes_;
  return distance;
}

Charge Timeline::weigh(const OpCall& call) {
  Charge charge;
  ResourceTime now;
  double largest = -1;
  const Work& least = call.cost.least;
  for (int i = 0; i < least.touch_count; ++i) {
    const Touch& touch = least.touches[static_cast<std::size_t>(i)];
    const double distance = reuse_.touch(touch);
    charge.least.memory_s += touch.bytes / machine_.read_rate(distance);
    now.memory_s += touch.bytes / machine_.read_rate_now(distance);
    if (touch.bytes <= largest) continue;
    largest = touch.bytes;
    charge.footprint = distance;
  }
  for (std::size_t i = 0; i < kArithmetics; ++i) {
    if (least.operations[i] != 0) charge.least.arithmetic_s[i] = least.operations[i] / machine_.operations_per_s[i];
    now.arithmetic_s[i] = charge.least.arithmetic_s[i] / machine_.now.arithmetic;
  }
  const auto efficiency = machine_.efficiency(call.cost.shape, charge.footprint);
  charge.calibrated = efficiency.has_value();
  charge.expected_s = std::max(charge.least.bound_s(), now.bound_s() / efficiency.value_or(1));
  return charge;
}

Charge Timeline::charge(const OpCall& call) {
  const Charge charge = weigh(call);
  if (!charge.calibrated &&
      std::find(uncalibrated_.begin(), uncalibrated_.end(), call.cost.shape.variant) == uncalibrated_.end()) {
    uncalibrated_.emplace_back(call.cost.shape.variant);
  }
  least_.add(charge.least);
  host_s_ += charge.expected_s;
  return charge;
}

ResourceTime Timeline::take_least() {
  const ResourceTime taken = least_;
  least_ = {};
  return taken;
}

}  // namespace ridge
