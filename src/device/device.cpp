#include "device/device.h"

#include "core/error.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace ridge {
namespace {

// Enough addresses for any plan: a model that does not fit must fail on the machine's memory, not on the pool's.
constexpr std::size_t kPaperCapacity = std::size_t{1} << 42;

std::size_t capacity_or(std::size_t bytes, std::size_t otherwise) {
  return bytes == 0 ? otherwise : bytes;
}

}  // namespace

Device::Device(DeviceKind kind, std::size_t capacity_bytes)
    : kind_(kind),
      memory_(capacity_bytes, kind == DeviceKind::cpu ? Memory::Access::readable : Memory::Access::reserved) {}

std::unique_ptr<Device> Device::cpu(int threads, std::size_t capacity_bytes) {
  std::unique_ptr<Device> device(new Device(DeviceKind::cpu, capacity_or(capacity_bytes, physical_memory_bytes())));
  device->pool_ = std::make_unique<ThreadPool>(threads);
  return device;
}

std::unique_ptr<Device> Device::on_paper(MachineModel machine, std::size_t capacity_bytes) {
  std::unique_ptr<Device> device(new Device(DeviceKind::on_paper, capacity_or(capacity_bytes, kPaperCapacity)));
  device->machine_ = std::make_unique<MachineModel>(std::move(machine));
  device->timeline_ = std::make_unique<Timeline>(*device->machine_);
  return device;
}

int Device::threads() const {
  return kind_ == DeviceKind::cpu ? pool_->threads() : machine_->threads;
}

double Device::now() const {
  return kind_ == DeviceKind::cpu ? clock_.now() : timeline_->now();
}

std::size_t available_memory_bytes() {
  std::ifstream meminfo("/proc/meminfo");
  std::size_t available = physical_memory_bytes();
  std::string key;
  std::size_t kilobytes = 0;
  for (std::string unit; meminfo >> key >> kilobytes && std::getline(meminfo, unit);) {
    if (key == "MemAvailable:") available = kilobytes * 1024;
  }
  std::ifstream limit("/sys/fs/cgroup/memory.max");
  std::ifstream used("/sys/fs/cgroup/memory.current");
  std::size_t limit_bytes = 0;
  std::size_t used_bytes = 0;
  if (limit >> limit_bytes && used >> used_bytes) {
    available = std::min(available, limit_bytes - std::min(limit_bytes, used_bytes));
  }
  return available;
}

std::size_t physical_memory_bytes() {
  return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace ridge
