// Reads the scalars and strings of a GGUF file in order, never past its end.
#pragma once

#include "core/error.h"
#include "model/gguf_value.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace ridge {

class GgufCursor {
 public:
  GgufCursor(std::span<const std::byte> bytes, std::string_view file) : bytes_(bytes), file_(file) {}

  // What is read next, for errors: `key 3 of 12`.
  void enter(std::string place) { place_ = std::move(place); }
  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] std::size_t offset() const { return offset_; }
  [[nodiscard]] std::size_t remaining() const { return bytes_.size() - offset_; }

  // The next `size` bytes. Throws Error when the file ends before; so do the others.
  std::span<const std::byte> take(std::uint64_t size) {
    require(size <= remaining(), "{}: {}: needs {} bytes at byte {}, but the file ends at byte {}", file_, place_, size,
            offset_, bytes_.size());
    offset_ += size;
    return bytes_.subspan(offset_ - size, size);
  }

  template <class T>
  T number() {
    return load_unaligned<T>(take(sizeof(T)).data());
  }

  std::string_view string() {
    const auto size = number<std::uint64_t>();
    const std::span<const std::byte> text = take(size);
    return {reinterpret_cast<const char*>(text.data()), text.size()};
  }

  // A number of things of at least `least_bytes` each, all of which can still be in the file.
  std::uint64_t count(std::string_view things, std::size_t least_bytes) {
    const auto count = number<std::uint64_t>();
    require(count <= remaining() / least_bytes, "{}: {}: {} {} cannot be in the {} bytes left of the file", file_,
            place_, count, things, remaining());
    return count;
  }

 private:
  std::span<const std::byte> bytes_;
  std::string_view file_;
  std::string place_;
  std::size_t offset_ = 0;
};

}  // namespace ridge
