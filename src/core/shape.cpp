#include "core/shape.h"

#include "core/error.h"

#include <fmt/ranges.h>

namespace ridge {

Shape::Shape(std::initializer_list<std::int64_t> sizes) {
  require(sizes.size() <= kMaxRank, "shape: at most {} dimensions, got {}", kMaxRank, sizes.size());
  for (const std::int64_t size : sizes) {
    require(size >= 0, "shape: a size must not be negative, got {}", size);
    require(!__builtin_mul_overflow(elements_, size, &elements_), "shape: more than 2^63 elements in [{}]",
            fmt::join(sizes, ", "));
    sizes_[static_cast<std::size_t>(rank_++)] = size;
  }
}

std::string to_string(const Shape& shape) {
  return fmt::format("[{}]", fmt::join(shape.sizes(), ", "));
}

}  // namespace ridge
