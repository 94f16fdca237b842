// What an operator call needs, and nothing ambient.
#pragma once

#include "device/device.h"

namespace ridge {

class Exec {
 public:
  explicit Exec(Device& device, OpObserver* observer = nullptr) : device_(&device), observer_(observer) {}

  [[nodiscard]] Device& device() const { return *device_; }
  [[nodiscard]] bool on_paper() const { return device_->kind() == DeviceKind::on_paper; }
  [[nodiscard]] ThreadPool& pool() const { return device_->pool(); }

  // Uninitialised device memory.
  [[nodiscard]] Tensor empty(const Shape& shape, DType dtype, MemoryKind kind = MemoryKind::activations) const {
    return device_->memory().allocate(shape, dtype, kind);
  }

  // Inference lets an operator write its result over an input that nobody else holds; recording a tape forbids it.
  [[nodiscard]] bool may_reuse(const Tensor& input) const { return input.storage().unique() && input.is_dense(); }

  // Runs one operator: `kernel()` on a CPU device, its charge on a virtual one; `cost()` is asked only when somebody
  // wants to know (the virtual device, an observer).
  template <class CostOf, class Kernel>
  void run(const char* op, const std::array<std::int64_t, 4>& dims, CostOf&& cost, Kernel&& kernel) const {
    if (!on_paper() && observer_ == nullptr) {
      kernel();
      return;
    }
    const OpCall call{op, dims, cost()};
    const double start = device_->now();
    if (on_paper()) {
      device_->timeline().charge(call);
    } else {
      kernel();
    }
    if (observer_ != nullptr) observer_->on_op(call, start, device_->now());
  }

 private:
  Device* device_;
  OpObserver* observer_;
};

}  // namespace ridge
