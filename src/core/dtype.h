// Element types of tensors. Block formats of weights are not element types: see formats/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ridge {

enum class DType : std::uint8_t { f32, f16, bf16, i32, i8 };

constexpr std::size_t dtype_bytes(DType dtype) {
  switch (dtype) {
    case DType::f32:
    case DType::i32:
      return 4;
    case DType::f16:
    case DType::bf16:
      return 2;
    case DType::i8:
      return 1;
  }
  return 0;
}

constexpr std::string_view dtype_name(DType dtype) {
  constexpr std::string_view kNames[] = {"f32", "f16", "bf16", "i32", "i8"};
  return kNames[static_cast<std::size_t>(dtype)];
}

// The DType of a C++ element type; half types are carried as their 16 bits and have no DType of their own.
template <class T>
inline constexpr DType kDTypeOf = DType::f32;
template <>
inline constexpr DType kDTypeOf<std::int32_t> = DType::i32;
template <>
inline constexpr DType kDTypeOf<std::int8_t> = DType::i8;

}  // namespace ridge
