// The bound on recursion while rendering.
#pragma once

#include "text/jinja/budget.h"

namespace ridge::jinja {

// One level deeper, and one step, for the length of a scope.
class DepthGuard {
 public:
  DepthGuard(std::size_t& depth, Budget& budget) : depth_(depth) {
    budget.steps(1);
    if (depth_ >= budget.limits().max_depth)
      raise(ErrorKind::kLimit, "evaluation nested deeper than {} levels", budget.limits().max_depth);
    ++depth_;
  }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;
  ~DepthGuard() { --depth_; }

 private:
  std::size_t& depth_;
};

}  // namespace ridge::jinja
