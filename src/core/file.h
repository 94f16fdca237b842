// Files: whole reads with a limit, atomic writes, and read-only memory maps.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace ridge {

// The bytes of a regular file of at most `max_bytes`. Throws Error naming path, rule and size.
std::string read_file(const std::string& path, std::size_t max_bytes);

// A temporary file beside `path`, fsync, rename: a reader sees the old bytes or the new ones, never a part.
// Throws Error and leaves nothing behind on failure (no space, no permission).
void write_file_atomically(const std::string& path, std::string_view bytes);
// The same for parts that are written one after the other.
void write_file_atomically(const std::string& path, std::span<const std::string_view> parts);

// A whole file mapped read-only. Truncation by another process after opening is not defended against.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }
  [[nodiscard]] const std::string& path() const { return path_; }

  // Gives the pages that lie wholly inside [offset, offset + size) back to the kernel; reading them again reads the
  // file.
  void release(std::size_t offset, std::size_t size) const;

 private:
  std::string path_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ridge
