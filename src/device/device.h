// Where operators run: `cpu` executes them, `virtual` charges them to a measured machine.
#pragma once

#include "core/clock.h"
#include "device/cpu/thread_pool.h"
#include "device/memory.h"
#include "device/virtual/timeline.h"

#include <memory>

namespace ridge {

enum class DeviceKind : std::uint8_t { cpu, on_paper };

class Device {
 public:
  // A CPU device with a pool of `threads` over `capacity_bytes` of addresses (0: the machine's memory).
  static std::unique_ptr<Device> cpu(int threads, std::size_t capacity_bytes = 0);
  // A virtual device: computes nothing, its payloads are unreadable. Keeps its own copy of the model.
  static std::unique_ptr<Device> on_paper(MachineModel machine, std::size_t capacity_bytes = 0);

  [[nodiscard]] DeviceKind kind() const { return kind_; }
  [[nodiscard]] Memory& memory() { return memory_; }
  // Threads that operators may use; of a virtual device, those of the machine it stands for.
  [[nodiscard]] int threads() const;
  // Only of a CPU device.
  [[nodiscard]] ThreadPool& pool() { return *pool_; }
  // Only of a virtual device.
  [[nodiscard]] Timeline& timeline() { return *timeline_; }
  [[nodiscard]] const MachineModel& machine() const { return *machine_; }
  // Real or virtual time.
  [[nodiscard]] double now() const;

 private:
  Device(DeviceKind kind, std::size_t capacity_bytes);

  DeviceKind kind_;
  Memory memory_;
  SteadyClock clock_;
  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<MachineModel> machine_;
  std::unique_ptr<Timeline> timeline_;
};

// Installed memory in bytes.
std::size_t physical_memory_bytes();

// What the kernel says can be taken without swapping (MemAvailable), and no more than the control group allows.
std::size_t available_memory_bytes();

}  // namespace ridge
