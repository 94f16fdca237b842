// Metadata values of GGUF files: typed views of bytes that stay in the file.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge {

static_assert(std::endian::native == std::endian::little, "GGUF files are read and written as little-endian memory");

// The numbers are those of the file format.
enum class GgufType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, array, u64, i64, f64 };
inline constexpr std::uint32_t kGgufTypes = 13;

// "u32", "bool".
std::string_view gguf_type_name(GgufType type);

// Bytes of a value of that type; 0 for strings and arrays, whose bytes say it.
std::size_t gguf_fixed_bytes(GgufType type);

// A number at any alignment.
template <class T>
T load_unaligned(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// A value whose bytes have been checked (read_gguf does that); it lives as long as they do.
class GgufValue {
 public:
  // `bytes` as in the file: a string begins with its u64 length, an array with its u32 element type and u64 count.
  GgufValue(GgufType type, std::span<const std::byte> bytes) : type_(type), bytes_(bytes) {}

  [[nodiscard]] GgufType type() const { return type_; }
  // Of an array only.
  [[nodiscard]] GgufType element_type() const {
    return static_cast<GgufType>(load_unaligned<std::uint32_t>(bytes_.data()));
  }
  [[nodiscard]] std::uint64_t element_count() const { return load_unaligned<std::uint64_t>(bytes_.data() + 4); }

  // "u32 7", "string", "array of 3 i32": for errors.
  [[nodiscard]] std::string describe() const;

  // The value for a person: a string as it is, of an array at most `max_elements`.
  [[nodiscard]] std::string to_text(std::size_t max_elements) const;

  // T is std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, bool or std::string_view. Integers convert
  // when the value fits, f64 to float when finite values stay finite; nothing else converts. None when it does not.
  template <class T>
  [[nodiscard]] std::optional<T> as() const;
  template <class T>
  [[nodiscard]] std::optional<std::vector<T>> as_array() const;

 private:
  GgufType type_;
  std::span<const std::byte> bytes_;
};

}  // namespace ridge
