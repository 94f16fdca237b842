#include "device/memory.h"

#include "core/error.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace ridge {
namespace {

constexpr std::size_t kAlignment = 256;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
// Enough that a decoder's steps never grow the lists after warm-up.
constexpr std::size_t kListCapacity = 4096;

std::size_t round_up(std::size_t bytes, std::size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

Memory::Memory(std::size_t capacity_bytes, Access access) : capacity_(round_up(capacity_bytes, kHugePage)) {
  const int protection = access == Access::reserved ? PROT_NONE : PROT_READ | PROT_WRITE;
  void* range = ::mmap(nullptr, capacity_ + kHugePage, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  require(range != MAP_FAILED, "memory: cannot reserve {} bytes of addresses: {}", capacity_, std::strerror(errno));
  base_ = static_cast<std::byte*>(range);
  const std::size_t skew =
      round_up(reinterpret_cast<std::uintptr_t>(base_), kHugePage) - reinterpret_cast<std::uintptr_t>(base_);
  if (skew != 0) ::munmap(base_, skew);
  base_ += skew;
  if (skew != kHugePage) ::munmap(base_ + capacity_, kHugePage - skew);
  if (access == Access::readable) ::madvise(base_, capacity_, MADV_HUGEPAGE);
  free_.reserve(kListCapacity);
  spare_storages_.reserve(kListCapacity);
  free_.push_back({0, capacity_});
}

Memory::~Memory() {
  ::munmap(base_, capacity_);
}

Tensor Memory::allocate(const Shape& shape, DType dtype, MemoryKind kind) {
  std::size_t bytes = 0;
  require(!__builtin_mul_overflow(static_cast<std::size_t>(shape.elements()), dtype_bytes(dtype), &bytes) &&
              bytes <= capacity_,
          "memory: {} {} does not fit in {} bytes", dtype_name(dtype), to_string(shape), capacity_);
  const std::size_t rounded = round_up(std::max<std::size_t>(bytes, 1), kAlignment);
  const std::size_t offset = take(rounded, rounded >= kHugePage ? kHugePage : kAlignment);
  if (offset == capacity_) fail_full(rounded, kind);
  if (spare_storages_.empty()) spare_storages_.push_back(&storages_.emplace_back());
  Storage* storage = spare_storages_.back();
  spare_storages_.pop_back();
  storage->data = base_ + offset;
  storage->bytes = rounded;
  storage->owner = this;
  storage->kind = kind;
  count(kind, rounded);
  return {StorageHandle(storage), shape, dtype};
}

// Cuts `bytes` out of the first free range that holds them aligned; capacity_ when none does.
std::size_t Memory::take(std::size_t bytes, std::size_t alignment) {
  for (auto range = free_.begin(); range != free_.end(); ++range) {
    const std::size_t begin = round_up(range->offset, alignment);
    const std::size_t end = range->offset + range->bytes;
    if (begin > end || end - begin < bytes) continue;
    const Range before{range->offset, begin - range->offset};
    const Range after{begin + bytes, end - begin - bytes};
    if (before.bytes != 0 && after.bytes != 0) {
      *range = before;
      free_.insert(range + 1, after);
    } else if (before.bytes != 0 || after.bytes != 0) {
      *range = before.bytes != 0 ? before : after;
    } else {
      free_.erase(range);
    }
    return begin;
  }
  return capacity_;
}

void Memory::count(MemoryKind kind, std::size_t bytes) {
  MemoryUse& use = use_[static_cast<std::size_t>(kind)];
  for (MemoryUse* counter : {&use, &total_}) {
    counter->live_bytes += bytes;
    counter->peak_bytes = std::max(counter->peak_bytes, counter->live_bytes);
  }
}

void Memory::release(Storage& storage) noexcept {
  use_[static_cast<std::size_t>(storage.kind)].live_bytes -= storage.bytes;
  total_.live_bytes -= storage.bytes;
  Range range{static_cast<std::size_t>(storage.data - base_), storage.bytes};
  spare_storages_.push_back(&storage);
  auto next = std::lower_bound(free_.begin(), free_.end(), range.offset,
                               [](const Range& left, std::size_t offset) { return left.offset < offset; });
  if (next != free_.end() && range.offset + range.bytes == next->offset) {
    range.bytes += next->bytes;
    next = free_.erase(next);
  }
  if (next != free_.begin() && (next - 1)->offset + (next - 1)->bytes == range.offset) {
    (next - 1)->bytes += range.bytes;
  } else {
    free_.insert(next, range);
  }
}

void Memory::fail_full(std::size_t bytes, MemoryKind kind) const {
  std::string held;
  for (int i = 0; i < kMemoryKinds; ++i) {
    const std::size_t live = use_[static_cast<std::size_t>(i)].live_bytes;
    if (live != 0) held += fmt::format(" {} {}", memory_kind_name(static_cast<MemoryKind>(i)), live);
  }
  fail("memory: {} bytes for {} do not fit in {} bytes; held:{}", bytes, memory_kind_name(kind), capacity_,
       held.empty() ? " nothing" : held);
}

}  // namespace ridge
