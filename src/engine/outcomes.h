// What control flow must know and a virtual device cannot compute.
#pragma once

#include "sched/step_plan.h"

#include <cstdint>

namespace ridge {

class Outcomes {
 public:
  virtual ~Outcomes() = default;
  // The token that `sequence` gets at `position`. Called once per sampled token, in the order of execution.
  virtual std::int32_t token(const PlannedSequence& sequence, std::int32_t position) = 0;
};

// Always the same token: with no stop tokens, every request runs to its length.
class ConstantToken final : public Outcomes {
 public:
  explicit ConstantToken(std::int32_t token = 0) : token_(token) {}
  std::int32_t token(const PlannedSequence& /*sequence*/, std::int32_t /*position*/) override { return token_; }

 private:
  std::int32_t token_;
};

}  // namespace ridge
