// GGUF model files, memory-mapped.
#pragma once

#include "core/file.h"
#include "model/gguf_contents.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge {

// Move-only. Everything it hands out views the mapped file and lives as long as this object does, moves included.
class GgufFile {
 public:
  // Throws Error naming the file, the thing, the rule and the value for a file that is not well-formed (read_gguf).
  static GgufFile open(const std::string& path);
  // The same for a file that may end after its header; tensors have no data.
  static GgufFile open_header(const std::string& path);
  // The caller keeps `bytes` alive; `name` stands for the file in errors.
  static GgufFile from_bytes(std::span<const std::byte> bytes, std::string name, GgufPart part = GgufPart::whole);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint32_t version() const { return contents_.version; }
  // In the order of the file.
  [[nodiscard]] std::span<const GgufEntry> entries() const { return contents_.entries; }
  [[nodiscard]] std::span<const GgufTensor> tensors() const { return contents_.tensors; }

  // Null when there is none.
  [[nodiscard]] const GgufValue* find(std::string_view key) const;
  [[nodiscard]] const GgufTensor* find_tensor(std::string_view name) const;

  // The value of a key, T and conversions as in GgufValue::as; none when there is no such key. Throws Error naming key,
  // wanted and given type when it does not convert. at() throws when there is no such key, too.
  template <class T>
  [[nodiscard]] std::optional<T> get(std::string_view key) const;
  template <class T>
  [[nodiscard]] T at(std::string_view key) const;
  template <class T>
  [[nodiscard]] std::optional<std::vector<T>> get_array(std::string_view key) const;
  template <class T>
  [[nodiscard]] std::vector<T> at_array(std::string_view key) const;

  // Throws Error when there is no such tensor.
  [[nodiscard]] const GgufTensor& at_tensor(std::string_view name) const;
  // The tensor's format. Throws Error naming its type when that is not supported.
  [[nodiscard]] Format require_format(const GgufTensor& tensor) const;
  // Gives the tensor's pages back to the kernel; reading them again reads the file.
  void release(const GgufTensor& tensor) const;

 private:
  GgufFile(std::string name, std::optional<MappedFile> map, GgufContents contents);
  static GgufFile map(const std::string& path, GgufPart part);
  [[noreturn]] void fail_missing(std::string_view key) const;

  std::string name_;
  std::optional<MappedFile> map_;
  GgufContents contents_;
};

}  // namespace ridge
