// A Tensor is a strided view plus a handle on the storage that it looks at.
#pragma once

#include "core/dtype.h"
#include "core/shape.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ridge {

// What a piece of memory is for; plans and reports count bytes by kind.
enum class MemoryKind : std::uint8_t { weights, kv, activations, workspace, logits, gradients, optimizer };
inline constexpr int kMemoryKinds = 7;
std::string_view memory_kind_name(MemoryKind kind);

struct Storage;

// Gives a storage back when its last handle goes.
class StorageOwner {
 public:
  virtual void release(Storage& storage) noexcept = 0;

 protected:
  ~StorageOwner() = default;
};

// Bytes on a device, counted by its handles. Its owner keeps the Storage object itself too, so handles allocate
// nothing.
struct Storage {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  StorageOwner* owner = nullptr;
  MemoryKind kind = MemoryKind::activations;
  std::atomic<std::uint32_t> handles{0};
};

class StorageHandle {
 public:
  StorageHandle() = default;
  explicit StorageHandle(Storage* storage) : storage_(storage) { acquire(); }
  StorageHandle(const StorageHandle& other) : storage_(other.storage_) { acquire(); }
  StorageHandle(StorageHandle&& other) noexcept : storage_(std::exchange(other.storage_, nullptr)) {}
  StorageHandle& operator=(StorageHandle other) noexcept {
    std::swap(storage_, other.storage_);
    return *this;
  }
  ~StorageHandle() {
    if (storage_ != nullptr && storage_->handles.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      storage_->owner->release(*storage_);
    }
  }
  [[nodiscard]] const Storage* get() const { return storage_; }
  [[nodiscard]] bool unique() const { return storage_ != nullptr && storage_->handles.load() == 1; }

 private:
  void acquire() const {
    if (storage_ != nullptr) storage_->handles.fetch_add(1, std::memory_order_relaxed);
  }
  Storage* storage_ = nullptr;
};

class Tensor {
 public:
  Tensor() = default;

  // A dense row-major view of `storage` from its first byte.
  Tensor(StorageHandle storage, const Shape& shape, DType dtype);

  // A dense view of memory that the caller keeps alive.
  static Tensor borrow(void* data, const Shape& shape, DType dtype);

  [[nodiscard]] bool defined() const { return data_ != nullptr; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] int rank() const { return shape_.rank(); }
  [[nodiscard]] std::int64_t size(int dim) const { return shape_[dim]; }
  // Distance in elements between neighbours along `dim`.
  [[nodiscard]] std::int64_t stride(int dim) const { return strides_[static_cast<std::size_t>(dim)]; }
  [[nodiscard]] std::int64_t elements() const { return shape_.elements(); }
  [[nodiscard]] DType dtype() const { return dtype_; }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(elements()) * dtype_bytes(dtype_); }
  [[nodiscard]] bool is_dense() const;
  [[nodiscard]] const StorageHandle& storage() const { return storage_; }

  // The first element. The caller knows the type: T must have the width of dtype().
  template <class T>
  [[nodiscard]] T* data() const {
    return reinterpret_cast<T*>(data_);
  }

  // The same dense elements under another shape.
  [[nodiscard]] Tensor reshape(const Shape& shape) const;
  // Elements [begin, end) along `dim`.
  [[nodiscard]] Tensor slice(int dim, std::int64_t begin, std::int64_t end) const;

 private:
  StorageHandle storage_;
  std::byte* data_ = nullptr;
  Shape shape_;
  std::array<std::int64_t, kMaxRank> strides_{};
  DType dtype_ = DType::f32;
};

}  // namespace ridge
