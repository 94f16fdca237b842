// The sizes of a tensor, outermost first as in PyTorch.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace ridge {

inline constexpr int kMaxRank = 5;

// 0 to kMaxRank sizes, none negative, whose product fits in 63 bits. Throws Error otherwise.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::int64_t> sizes);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] std::int64_t operator[](int dim) const { return sizes_[static_cast<std::size_t>(dim)]; }
  [[nodiscard]] std::int64_t elements() const { return elements_; }
  [[nodiscard]] std::span<const std::int64_t> sizes() const { return {sizes_.data(), static_cast<std::size_t>(rank_)}; }

  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  std::array<std::int64_t, kMaxRank> sizes_{};
  std::int64_t elements_ = 1;
  int rank_ = 0;
};

// "[2, 3]", for errors and tables.
std::string to_string(const Shape& shape);

}  // namespace ridge
