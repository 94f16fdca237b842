// A weight matrix as operators hold it. Block formats are not element-strided tensors, so this is not a Tensor.
#pragma once

#include "core/tensor.h"
#include "formats/format.h"

namespace ridge {

// W[N, K] in `format`, in the packed layout of the device it lives on (CPU: ops/linear/pack.h).
struct Weight {
  Format format = Format::f32;
  std::int64_t n = 0;  // rows: outputs of a linear
  std::int64_t k = 0;  // columns: inputs
  Tensor bytes;        // [packed bytes] i8

  [[nodiscard]] bool defined() const { return bytes.defined(); }
};

}  // namespace ridge
