// Weights from the rows of a file into the layout that CPU kernels read, and back.
#pragma once

#include "formats/weight.h"
#include "ops/exec.h"

#include <cstddef>
#include <span>

namespace ridge {

// Packs N rows of K weights, as a file holds them, into device memory of kind `weights`. On a virtual device the rows
// are not read (and may be empty): only the memory is taken. Throws Error when `rows` is not N * row_bytes(K) long.
Weight pack_weight(const Exec& exec, Format format, std::int64_t n, std::int64_t k, std::span<const std::byte> rows);

// Bytes that the packed form of [n, k] takes.
std::size_t packed_bytes(Format format, std::int64_t n, std::int64_t k);

// Row `n` of a packed weight as floats: exactly the values that the file's row decodes to. `out` has k elements.
void unpack_row(const Weight& weight, std::int64_t n, float* out);

}  // namespace ridge
