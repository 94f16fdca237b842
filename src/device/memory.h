// One deterministic pool over a reserved address range: the same program makes the same allocations at the same offsets
// on every device, so what a virtual run reports (live and peak bytes by kind) is the plan of the real one.
#pragma once

#include "core/tensor.h"

#include <array>
#include <cstddef>
#include <deque>
#include <vector>

namespace ridge {

struct MemoryUse {
  std::size_t live_bytes = 0;
  std::size_t peak_bytes = 0;
};

class Memory final : public StorageOwner {
 public:
  // readable: pages are backed on first touch. reserved: touching a payload faults (the virtual device), which proves
  // that nothing depends on values.
  enum class Access : std::uint8_t { readable, reserved };

  // Reserves `capacity_bytes` of addresses; no memory is used before it is touched. Throws Error when refused.
  Memory(std::size_t capacity_bytes, Access access);
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory();

  // First fit from the lowest offset, 256-byte aligned (2 MiB from 2 MiB on, for huge pages). Contents are undefined.
  // Throws Error with the bytes by kind when the capacity does not suffice. One thread at a time.
  Tensor allocate(const Shape& shape, DType dtype, MemoryKind kind);

  [[nodiscard]] std::size_t capacity_bytes() const { return capacity_; }
  [[nodiscard]] MemoryUse use(MemoryKind kind) const { return use_[static_cast<std::size_t>(kind)]; }
  // Of all kinds together; the peak is that of the sum, not the sum of peaks.
  [[nodiscard]] MemoryUse total() const { return total_; }
  // Start of the range: offsets of storages are relative to it.
  [[nodiscard]] const std::byte* base() const { return base_; }

  void release(Storage& storage) noexcept override;

 private:
  struct Range {
    std::size_t offset;
    std::size_t bytes;
  };
  std::size_t take(std::size_t bytes, std::size_t alignment);
  void count(MemoryKind kind, std::size_t bytes);
  [[noreturn]] void fail_full(std::size_t bytes, MemoryKind kind) const;

  std::byte* base_ = nullptr;
  std::size_t capacity_ = 0;
  std::vector<Range> free_;  // ascending by offset, never adjacent
  std::deque<Storage> storages_;
  std::vector<Storage*> spare_storages_;
  std::array<MemoryUse, kMemoryKinds> use_{};
  MemoryUse total_{};
};

}  // namespace ridge
