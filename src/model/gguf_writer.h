// Writes GGUF version 3 files.
#pragma once

#include "formats/format.h"
#include "model/gguf_value.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge {

// Collects metadata and tensors, then writes them in the order given. Names are 1 to 65535 bytes of UTF-8; equal ones
// are the caller's error, which reading the file reports. Tensors are aligned to 32 bytes (the format's default).
class GgufWriter {
 public:
  // T is any scalar type of GGUF: integers of 8 to 64 bits, float, double, bool, std::string_view.
  template <class T>
  void add(std::string_view key, T value);
  template <class T>
  void add_array(std::string_view key, std::span<const T> values);

  // `shape` outermost first, 1 to 4 positive sizes. `data` must live until the file is written. Throws Error unless it
  // has the bytes that format and shape ask for.
  void add_tensor(std::string_view name, Format format, std::span<const std::int64_t> shape,
                  std::span<const std::byte> data);

  // The whole file in memory.
  [[nodiscard]] std::string bytes() const;
  // Writes the file atomically, without a copy of the tensors' data. Throws Error and leaves nothing behind on failure.
  void write(const std::string& path) const;

 private:
  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::vector<std::string_view> data_parts() const;

  std::string entries_;
  std::string tensor_infos_;
  std::uint64_t entry_count_ = 0;
  std::uint64_t data_bytes_ = 0;
  std::vector<std::span<const std::byte>> data_;
};

}  // namespace ridge
