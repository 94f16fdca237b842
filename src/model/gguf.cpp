#include "model/gguf.h"

#include "core/error.h"
#include "formats/ggml_types.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace ridge {
namespace {

// The item of that name, by binary search in indexes sorted by name; null when there is none.
template <class Item, class Name>
const Item* find_by_name(const std::vector<Item>& items, const std::vector<std::size_t>& order, Name Item::*member,
                         std::string_view name) {
  const auto found =
      std::lower_bound(order.begin(), order.end(), name,
                       [&](std::size_t index, std::string_view wanted) { return items[index].*member < wanted; });
  return found != order.end() && items[*found].*member == name ? &items[*found] : nullptr;
}

template <class T>
constexpr std::string_view wanted_name() {
  if constexpr (std::is_same_v<T, std::int32_t>) return "i32";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "u32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "i64";
  if constexpr (std::is_same_v<T, std::uint64_t>) return "u64";
  if constexpr (std::is_same_v<T, float>) return "f32";
  if constexpr (std::is_same_v<T, bool>) return "bool";
  if constexpr (std::is_same_v<T, std::string_view>) return "string";
}

}  // namespace

GgufFile::GgufFile(std::string name, std::optional<MappedFile> map, GgufContents contents)
    : name_(std::move(name)), map_(std::move(map)), contents_(std::move(contents)) {}

GgufFile GgufFile::map(const std::string& path, GgufPart part) {
  MappedFile map(path);
  GgufContents contents = read_gguf(map.bytes(), path, part);
  return {path, std::move(map), std::move(contents)};
}

GgufFile GgufFile::open(const std::string& path) {
  return map(path, GgufPart::whole);
}

GgufFile GgufFile::open_header(const std::string& path) {
  return map(path, GgufPart::header);
}

GgufFile GgufFile::from_bytes(std::span<const std::byte> bytes, std::string name, GgufPart part) {
  GgufContents contents = read_gguf(bytes, name, part);
  return {std::move(name), std::nullopt, std::move(contents)};
}

const GgufValue* GgufFile::find(std::string_view key) const {
  const GgufEntry* entry = find_by_name(contents_.entries, contents_.entries_by_key, &GgufEntry::key, key);
  return entry != nullptr ? &entry->value : nullptr;
}

const GgufTensor* GgufFile::find_tensor(std::string_view name) const {
  return find_by_name(contents_.tensors, contents_.tensors_by_name, &GgufTensor::name, name);
}

void GgufFile::fail_missing(std::string_view key) const {
  fail("{}: key \"{}\" is missing", name_, key);
}

template <class T>
std::optional<T> GgufFile::get(std::string_view key) const {
  const GgufValue* value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto converted = value->as<T>();
  require(converted.has_value(), "{}: key \"{}\" must be {}, got {}", name_, key, wanted_name<T>(), value->describe());
  return converted;
}

template <class T>
T GgufFile::at(std::string_view key) const {
  const auto value = get<T>(key);
  if (!value) fail_missing(key);
  return *value;
}

template <class T>
std::optional<std::vector<T>> GgufFile::get_array(std::string_view key) const {
  const GgufValue* value = find(key);
  if (value == nullptr) return std::nullopt;
  auto converted = value->as_array<T>();
  require(converted.has_value(), "{}: key \"{}\" must be array of {}, got {}", name_, key, wanted_name<T>(),
          value->describe());
  return converted;
}

template <class T>
std::vector<T> GgufFile::at_array(std::string_view key) const {
  auto values = get_array<T>(key);
  if (!values) fail_missing(key);
  return std::move(*values);
}

const GgufTensor& GgufFile::at_tensor(std::string_view name) const {
  const GgufTensor* tensor = find_tensor(name);
  require(tensor != nullptr, "{}: tensor \"{}\" is missing", name_, name);
  return *tensor;
}

Format GgufFile::require_format(const GgufTensor& tensor) const {
  require(tensor.format.has_value(), "{}: tensor \"{}\": its type must be one of {}, got {}", name_, tensor.name,
          format_names(), ggml_type_name(tensor.ggml_type));
  return *tensor.format;
}

void GgufFile::release(const GgufTensor& tensor) const {
  if (map_ && !tensor.data.empty()) map_->release(tensor.offset, tensor.bytes);
}

template std::optional<std::int32_t> GgufFile::get(std::string_view) const;
template std::optional<std::uint32_t> GgufFile::get(std::string_view) const;
template std::optional<std::int64_t> GgufFile::get(std::string_view) const;
template std::optional<std::uint64_t> GgufFile::get(std::string_view) const;
template std::optional<float> GgufFile::get(std::string_view) const;
template std::optional<bool> GgufFile::get(std::string_view) const;
template std::optional<std::string_view> GgufFile::get(std::string_view) const;
template std::int32_t GgufFile::at(std::string_view) const;
template std::uint32_t GgufFile::at(std::string_view) const;
template std::int64_t GgufFile::at(std::string_view) const;
template std::uint64_t GgufFile::at(std::string_view) const;
template float GgufFile::at(std::string_view) const;
template bool GgufFile::at(std::string_view) const;
template std::string_view GgufFile::at(std::string_view) const;
template std::optional<std::vector<std::int32_t>> GgufFile::get_array(std::string_view) const;
template std::optional<std::vector<std::uint32_t>> GgufFile::get_array(std::string_view) const;
template std::optional<std::vector<float>> GgufFile::get_array(std::string_view) const;
template std::optional<std::vector<bool>> GgufFile::get_array(std::string_view) const;
template std::optional<std::vector<std::string_view>> GgufFile::get_array(std::string_view) const;
template std::vector<std::int32_t> GgufFile::at_array(std::string_view) const;
template std::vector<std::uint32_t> GgufFile::at_array(std::string_view) const;
template std::vector<float> GgufFile::at_array(std::string_view) const;
template std::vector<std::string_view> GgufFile::at_array(std::string_view) const;

}  // namespace ridge
