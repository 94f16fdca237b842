#include "core/file.h"

#include "core/error.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace ridge {
namespace {

// Owns a file descriptor for the length of a scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

std::string reason() {
  return std::strerror(errno);
}

// Opens a regular file and says its size; directories, pipes and devices are refused.
std::size_t regular_file_size(const Descriptor& file, const std::string& path) {
  require(file.get() >= 0, "{}: cannot open: {}", path, reason());
  struct stat info {};
  require(::fstat(file.get(), &info) == 0, "{}: cannot stat: {}", path, reason());
  require(S_ISREG(info.st_mode), "{}: not a regular file", path);
  return static_cast<std::size_t>(info.st_size);
}

void write_all(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    require(written >= 0, "{}: cannot write: {}", path, reason());
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

std::string read_file(const std::string& path, std::size_t max_bytes) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const std::size_t size = regular_file_size(file, path);
  require(size <= max_bytes, "{}: {} bytes, more than the {} that are read here", path, size, max_bytes);
  std::string bytes(size, '\0');
  std::size_t filled = 0;
  while (filled < size) {
    const ssize_t got = ::read(file.get(), bytes.data() + filled, size - filled);
    if (got < 0 && errno == EINTR) continue;
    require(got >= 0, "{}: cannot read: {}", path, reason());
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  write_file_atomically(path, std::span(&bytes, 1));
}

void write_file_atomically(const std::string& path, std::span<const std::string_view> parts) {
  std::string temporary = path + ".XXXXXX";
  const Descriptor file(::mkstemp(temporary.data()));
  require(file.get() >= 0, "{}: cannot create a file beside it: {}", path, reason());
  try {
    for (const std::string_view part : parts) write_all(file.get(), part, path);
    require(::fchmod(file.get(), 0644) == 0, "{}: cannot set its mode: {}", path, reason());
    require(::fsync(file.get()) == 0, "{}: cannot write: {}", path, reason());
    require(::rename(temporary.c_str(), path.c_str()) == 0, "{}: cannot rename into place: {}", path, reason());
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

MappedFile::MappedFile(const std::string& path) : path_(path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  size_ = regular_file_size(file, path);
  if (size_ == 0) return;
  void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.get(), 0);
  require(mapped != MAP_FAILED, "{}: cannot map {} bytes: {}", path, size_, reason());
  data_ = static_cast<const std::byte*>(mapped);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

void MappedFile::release(std::size_t offset, std::size_t size) const {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t begin = (offset + page - 1) / page * page;
  const std::size_t end = (offset + size) / page * page;
  if (begin < end && end <= size_) ::madvise(const_cast<std::byte*>(data_) + begin, end - begin, MADV_DONTNEED);
}

}  // namespace ridge
