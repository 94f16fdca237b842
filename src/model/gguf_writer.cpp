#include "model/gguf_writer.h"

#include "core/error.h"
#include "core/file.h"
#include "model/gguf_contents.h"

#include <fmt/ranges.h>

#include <array>
#include <type_traits>

namespace ridge {
namespace {

constexpr std::uint32_t kVersion = 3;
constexpr std::array<char, kGgufDefaultAlignment> kZeros{};

std::uint64_t padding(std::uint64_t size) {
  return (kGgufDefaultAlignment - size % kGgufDefaultAlignment) % kGgufDefaultAlignment;
}

template <class T>
void append(std::string& out, T value) {
  if constexpr (std::is_same_v<T, std::string_view>) {
    append(out, std::uint64_t{value.size()});
    out += value;
  } else {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
}

template <class T>
constexpr GgufType type_of() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return GgufType::u8;
  if constexpr (std::is_same_v<T, std::int8_t>) return GgufType::i8;
  if constexpr (std::is_same_v<T, std::uint16_t>) return GgufType::u16;
  if constexpr (std::is_same_v<T, std::int16_t>) return GgufType::i16;
  if constexpr (std::is_same_v<T, std::uint32_t>) return GgufType::u32;
  if constexpr (std::is_same_v<T, std::int32_t>) return GgufType::i32;
  if constexpr (std::is_same_v<T, float>) return GgufType::f32;
  if constexpr (std::is_same_v<T, bool>) return GgufType::boolean;
  if constexpr (std::is_same_v<T, std::string_view>) return GgufType::string;
  if constexpr (std::is_same_v<T, std::uint64_t>) return GgufType::u64;
  if constexpr (std::is_same_v<T, std::int64_t>) return GgufType::i64;
  if constexpr (std::is_same_v<T, double>) return GgufType::f64;
}

std::uint64_t tensor_bytes(std::string_view name, Format format, std::span<const std::int64_t> shape) {
  require(!shape.empty() && shape.size() <= kGgufMaxRank, "tensor \"{}\": must have 1 to {} dimensions, got {}", name,
          kGgufMaxRank, shape.size());
  std::int64_t bytes = row_bytes(format, shape.back());
  bool fits = shape.back() > 0;
  for (const std::int64_t size : shape.first(shape.size() - 1)) {
    fits = fits && size > 0 && !__builtin_mul_overflow(bytes, size, &bytes);
  }
  require(fits, "tensor \"{}\": sizes must be positive and its bytes fit in 63 bits, got shape [{}]", name,
          fmt::join(shape, ", "));
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace

template <class T>
void GgufWriter::add(std::string_view key, T value) {
  append(entries_, key);
  append(entries_, type_of<T>());
  append(entries_, value);
  ++entry_count_;
}

template <class T>
void GgufWriter::add_array(std::string_view key, std::span<const T> values) {
  append(entries_, key);
  append(entries_, GgufType::array);
  append(entries_, type_of<T>());
  append(entries_, std::uint64_t{values.size()});
  for (const T& value : values) append(entries_, value);
  ++entry_count_;
}

void GgufWriter::add_tensor(std::string_view name, Format format, std::span<const std::int64_t> shape,
                            std::span<const std::byte> data) {
  const std::uint64_t bytes = tensor_bytes(name, format, shape);
  require(data.size() == bytes, "tensor \"{}\": {} [{}] has {} bytes, got {}", name, format_name(format),
          fmt::join(shape, ", "), bytes, data.size());
  append(tensor_infos_, name);
  append(tensor_infos_, static_cast<std::uint32_t>(shape.size()));
  for (std::size_t dim = shape.size(); dim-- > 0;) append(tensor_infos_, shape[dim]);
  append(tensor_infos_, format_info(format).ggml_type);
  append(tensor_infos_, data_bytes_);
  data_.push_back(data);
  data_bytes_ += bytes + padding(bytes);
}

std::string GgufWriter::header() const {
  std::string out;
  append(out, kGgufMagic);
  append(out, kVersion);
  append(out, std::uint64_t{data_.size()});
  append(out, entry_count_);
  out += entries_ + tensor_infos_;
  out.append(padding(out.size()), '\0');
  return out;
}

std::vector<std::string_view> GgufWriter::data_parts() const {
  std::vector<std::string_view> parts;
  for (const std::span<const std::byte> data : data_) {
    parts.emplace_back(reinterpret_cast<const char*>(data.data()), data.size());
    parts.emplace_back(kZeros.data(), padding(data.size()));
  }
  return parts;
}

std::string GgufWriter::bytes() const {
  std::string out = header();
  for (const std::string_view part : data_parts()) out += part;
  return out;
}

void GgufWriter::write(const std::string& path) const {
  const std::string head = header();
  std::vector<std::string_view> parts = data_parts();
  parts.insert(parts.begin(), head);
  write_file_atomically(path, parts);
}

template void GgufWriter::add(std::string_view, std::uint8_t);
template void GgufWriter::add(std::string_view, std::int8_t);
template void GgufWriter::add(std::string_view, std::uint16_t);
template void GgufWriter::add(std::string_view, std::int16_t);
template void GgufWriter::add(std::string_view, std::uint32_t);
template void GgufWriter::add(std::string_view, std::int32_t);
template void GgufWriter::add(std::string_view, std::uint64_t);
template void GgufWriter::add(std::string_view, std::int64_t);
template void GgufWriter::add(std::string_view, float);
template void GgufWriter::add(std::string_view, double);
template void GgufWriter::add(std::string_view, bool);
template void GgufWriter::add(std::string_view, std::string_view);
template void GgufWriter::add_array(std::string_view, std::span<const std::int32_t>);
template void GgufWriter::add_array(std::string_view, std::span<const std::uint32_t>);
template void GgufWriter::add_array(std::string_view, std::span<const float>);
template void GgufWriter::add_array(std::string_view, std::span<const bool>);
template void GgufWriter::add_array(std::string_view, std::span<const std::string_view>);

}  // namespace ridge
