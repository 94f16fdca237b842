#include "core/tensor.h"

#include "core/error.h"

namespace ridge {
namespace {

std::array<std::int64_t, kMaxRank> dense_strides(const Shape& shape) {
  std::array<std::int64_t, kMaxRank> strides{};
  std::int64_t stride = 1;
  for (int dim = shape.rank() - 1; dim >= 0; --dim) {
    strides[static_cast<std::size_t>(dim)] = stride;
    stride *= shape[dim];
  }
  return strides;
}

Shape with_size(const Shape& shape, int dim, std::int64_t size) {
  std::array<std::int64_t, kMaxRank> sizes{};
  for (int i = 0; i < shape.rank(); ++i) sizes[static_cast<std::size_t>(i)] = i == dim ? size : shape[i];
  switch (shape.rank()) {
    case 1:
      return {sizes[0]};
    case 2:
      return {sizes[0], sizes[1]};
    case 3:
      return {sizes[0], sizes[1], sizes[2]};
    case 4:
      return {sizes[0], sizes[1], sizes[2], sizes[3]};
    default:
      return {sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]};
  }
}

}  // namespace

std::string_view memory_kind_name(MemoryKind kind) {
  constexpr std::string_view kNames[kMemoryKinds] = {"weights", "kv",        "activations", "workspace",
                                                     "logits",  "gradients", "optimizer"};
  return kNames[static_cast<std::size_t>(kind)];
}

Tensor::Tensor(StorageHandle storage, const Shape& shape, DType dtype)
    : storage_(std::move(storage)), shape_(shape), strides_(dense_strides(shape)), dtype_(dtype) {
  require(storage_.get() != nullptr && bytes() <= storage_.get()->bytes, "tensor: {} {} needs {} bytes, storage has {}",
          dtype_name(dtype), to_string(shape), bytes(), storage_.get() == nullptr ? 0 : storage_.get()->bytes);
  data_ = storage_.get()->data;
}

Tensor Tensor::borrow(void* data, const Shape& shape, DType dtype) {
  Tensor view;
  view.data_ = static_cast<std::byte*>(data);
  view.shape_ = shape;
  view.strides_ = dense_strides(shape);
  view.dtype_ = dtype;
  return view;
}

bool Tensor::is_dense() const {
  const auto dense = dense_strides(shape_);
  for (int dim = 0; dim < rank(); ++dim) {
    if (size(dim) > 1 && stride(dim) != dense[static_cast<std::size_t>(dim)]) return false;
  }
  return true;
}

Tensor Tensor::reshape(const Shape& shape) const {
  require(is_dense(), "reshape: {} must be dense", to_string(shape_));
  require(shape.elements() == elements(), "reshape: {} has {} elements, {} has {}", to_string(shape_), elements(),
          to_string(shape), shape.elements());
  Tensor view = *this;
  view.shape_ = shape;
  view.strides_ = dense_strides(shape);
  return view;
}

Tensor Tensor::slice(int dim, std::int64_t begin, std::int64_t end) const {
  require(dim >= 0 && dim < rank(), "slice: dimension {} of {}", dim, to_string(shape_));
  require(0 <= begin && begin <= end && end <= size(dim), "slice: [{}, {}) of dimension {} of {}", begin, end, dim,
          to_string(shape_));
  Tensor view = *this;
  view.data_ += begin * stride(dim) * static_cast<std::int64_t>(dtype_bytes(dtype_));
  view.shape_ = with_size(shape_, dim, end - begin);
  return view;
}

}  // namespace ridge
