#include "model/gguf_contents.h"

#include "core/error.h"
#include "formats/ggml_types.h"
#include "model/gguf_cursor.h"
#include "text/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace ridge {
namespace {

constexpr std::uint64_t kMaxAlignment = std::uint64_t{1} << 20;
constexpr int kMaxArrayDepth = 4;

constexpr std::size_t kLeastEntryBytes = 8 + 1 + 4 + 1;           // a key of one byte, a type, a byte
constexpr std::size_t kLeastTensorBytes = 8 + 1 + 4 + 8 + 4 + 8;  // a name of one byte, rank, a size, type, offset
constexpr std::size_t kLeastStringBytes = 8;
constexpr std::size_t kLeastArrayBytes = 12;

// Indexes of the items in the order of their names. Throws Error when two names are equal.
template <class Item, class Name>
std::vector<std::size_t> order_by_name(const std::vector<Item>& items, Name Item::*name, std::string_view file,
                                       std::string_view thing) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return items[a].*name < items[b].*name; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const Name& before = items[order[i - 1]].*name;
    require(before != items[order[i]].*name, "{}: {} \"{}\" stands twice", file, thing, before);
  }
  return order;
}

class Reader {
 public:
  Reader(std::span<const std::byte> bytes, std::string_view file, GgufPart part)
      : bytes_(bytes), file_(file), part_(part), cursor_(bytes, file) {}

  GgufContents read() {
    read_magic_and_version();
    const std::uint64_t tensors = cursor_.count("tensors", kLeastTensorBytes);
    const std::uint64_t entries = cursor_.count("metadata entries", kLeastEntryBytes);
    read_entries(entries);
    contents_.entries_by_key = order_by_name(contents_.entries, &GgufEntry::key, file_, "key");
    read_alignment();
    read_tensors(tensors);
    contents_.tensors_by_name = order_by_name(contents_.tensors, &GgufTensor::name, file_, "tensor");
    place_tensors();
    return std::move(contents_);
  }

 private:
  void read_magic_and_version();
  void read_entries(std::uint64_t count);
  void read_alignment();
  void read_tensors(std::uint64_t count);
  void place_tensors();

  std::string_view name(std::string_view thing);
  GgufType type();
  GgufValue value();
  void skip_value(GgufType type, int depth);
  void skip_array(int depth);
  void check_bools(std::span<const std::byte> bools);
  GgufTensor tensor();
  std::vector<std::int64_t> shape();
  void set_bytes(GgufTensor& tensor);

  std::span<const std::byte> bytes_;
  std::string_view file_;
  GgufPart part_;
  GgufCursor cursor_;
  std::uint64_t alignment_ = kGgufDefaultAlignment;
  GgufContents contents_{};
};

void Reader::read_magic_and_version() {
  cursor_.enter("header");
  const auto magic = cursor_.number<std::uint32_t>();
  const auto version = cursor_.number<std::uint32_t>();
  const std::uint32_t swapped_version = __builtin_bswap32(version);
  const bool swapped = magic == __builtin_bswap32(kGgufMagic);
  require(magic == kGgufMagic || swapped, "{}: not a GGUF file: it must begin with \"GGUF\", got bytes {:08x}", file_,
          __builtin_bswap32(magic));
  require(!swapped && !(swapped_version > 0 && swapped_version < 0x10000),
          "{}: a big-endian GGUF file; only little-endian ones are supported", file_);
  require(version == 2 || version == 3, "{}: GGUF version must be 2 or 3, got {}", file_, version);
  contents_.version = version;
}

std::string_view Reader::name(std::string_view thing) {
  const std::string_view name = cursor_.string();
  require(!name.empty() && name.size() <= kGgufMaxName, "{}: {}: its {} must have 1 to {} bytes, got {}", file_,
          cursor_.place(), thing, kGgufMaxName, name.size());
  const bool has_control =
      std::any_of(name.begin(), name.end(), [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; });
  require(!has_control && valid_utf8_prefix(name) == name.size(),
          "{}: {}: its {} must be UTF-8 without control characters", file_, cursor_.place(), thing);
  return name;
}

GgufType Reader::type() {
  const auto type = cursor_.number<std::uint32_t>();
  require(type < kGgufTypes, "{}: {}: value type must be 0 to {}, got {}", file_, cursor_.place(), kGgufTypes - 1,
          type);
  return static_cast<GgufType>(type);
}

void Reader::check_bools(std::span<const std::byte> bools) {
  for (const std::byte value : bools) {
    require(value <= std::byte{1}, "{}: {}: a bool must be 0 or 1, got {}", file_, cursor_.place(),
            std::to_integer<int>(value));
  }
}

void Reader::skip_value(GgufType type, int depth) {
  if (type == GgufType::array) {
    skip_array(depth + 1);
  } else if (type == GgufType::string) {
    cursor_.string();
  } else {
    const std::span<const std::byte> value = cursor_.take(gguf_fixed_bytes(type));
    if (type == GgufType::boolean) check_bools(value);
  }
}

void Reader::skip_array(int depth) {
  require(depth <= kMaxArrayDepth, "{}: {}: arrays may be nested {} deep at most", file_, cursor_.place(),
          kMaxArrayDepth);
  const GgufType element = type();
  if (const std::size_t size = gguf_fixed_bytes(element); size != 0) {
    const std::span<const std::byte> values = cursor_.take(cursor_.count("array elements", size) * size);
    if (element == GgufType::boolean) check_bools(values);
    return;
  }
  const std::uint64_t count =
      cursor_.count("array elements", element == GgufType::string ? kLeastStringBytes : kLeastArrayBytes);
  for (std::uint64_t i = 0; i < count; ++i) skip_value(element, depth);
}

GgufValue Reader::value() {
  const GgufType kind = type();
  const std::size_t begin = cursor_.offset();
  skip_value(kind, 0);
  return {kind, bytes_.subspan(begin, cursor_.offset() - begin)};
}

void Reader::read_entries(std::uint64_t count) {
  contents_.entries.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    cursor_.enter(fmt::format("metadata entry {} of {}", i + 1, count));
    const std::string_view key = name("key");
    cursor_.enter(fmt::format("key \"{}\"", key));
    contents_.entries.push_back({key, value()});
  }
}

void Reader::read_alignment() {
  for (const GgufEntry& entry : contents_.entries) {
    if (entry.key != "general.alignment") continue;
    const std::uint64_t alignment = entry.value.as<std::uint64_t>().value_or(0);
    require(std::has_single_bit(alignment) && alignment >= 8 && alignment <= kMaxAlignment,
            "{}: key \"general.alignment\" must be a power of two from 8 to {}, got {}", file_, kMaxAlignment,
            entry.value.describe());
    alignment_ = alignment;
  }
}

std::vector<std::int64_t> Reader::shape() {
  const auto rank = cursor_.number<std::uint32_t>();
  require(rank >= 1 && rank <= kGgufMaxRank, "{}: {}: must have 1 to {} dimensions, got {}", file_, cursor_.place(),
          kGgufMaxRank, rank);
  std::vector<std::int64_t> shape(rank);
  for (auto size = shape.rbegin(); size != shape.rend(); ++size) {
    *size = cursor_.number<std::int64_t>();
    require(*size > 0, "{}: {}: every dimension must be 1 to 2^63 - 1, got {}", file_, cursor_.place(), *size);
  }
  return shape;
}

// From type and shape.
void Reader::set_bytes(GgufTensor& tensor) {
  const auto type = find_ggml_type(tensor.ggml_type);
  require(type.has_value() && type->block_elements > 0, "{}: {}: its type must be one that GGUF defines, got {}", file_,
          cursor_.place(), ggml_type_name(tensor.ggml_type));
  const std::int64_t columns = tensor.shape.back();
  require(columns % type->block_elements == 0, "{}: {}: rows of {} must have a multiple of {} elements, got {}", file_,
          cursor_.place(), type->name, type->block_elements, columns);
  std::int64_t elements = 1;
  std::int64_t bytes = type->block_bytes;
  bool overflow = __builtin_mul_overflow(columns / type->block_elements, bytes, &bytes);
  for (std::size_t dim = 0; dim < tensor.shape.size(); ++dim) {
    overflow |= __builtin_mul_overflow(elements, tensor.shape[dim], &elements);
    if (dim + 1 < tensor.shape.size()) overflow |= __builtin_mul_overflow(bytes, tensor.shape[dim], &bytes);
  }
  require(!overflow, "{}: {}: its size must fit in 63 bits, got shape [{}]", file_, cursor_.place(),
          fmt::join(tensor.shape, ", "));
  tensor.bytes = static_cast<std::uint64_t>(bytes);
}

GgufTensor Reader::tensor() {
  GgufTensor tensor{};
  tensor.name = name("name");
  cursor_.enter(fmt::format("tensor \"{}\"", tensor.name));
  tensor.shape = shape();
  tensor.ggml_type = cursor_.number<std::uint32_t>();
  tensor.format = find_format(tensor.ggml_type);
  set_bytes(tensor);
  tensor.offset = cursor_.number<std::uint64_t>();
  require(tensor.offset % alignment_ == 0, "{}: {}: its offset must be a multiple of {}, got {}", file_,
          cursor_.place(), alignment_, tensor.offset);
  return tensor;
}

void Reader::read_tensors(std::uint64_t count) {
  contents_.tensors.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    cursor_.enter(fmt::format("tensor {} of {}", i + 1, count));
    contents_.tensors.push_back(tensor());
  }
}

// Turns offsets within the data into offsets in the file; the data begin at the first aligned byte after the header.
void Reader::place_tensors() {
  const std::uint64_t data_offset = (cursor_.offset() + alignment_ - 1) / alignment_ * alignment_;
  std::vector<GgufTensor*> by_offset;
  for (GgufTensor& tensor : contents_.tensors) {
    std::uint64_t end = 0;
    require(!__builtin_add_overflow(tensor.offset, data_offset, &tensor.offset) &&
                !__builtin_add_overflow(tensor.offset, tensor.bytes, &end),
            "{}: tensor \"{}\": its end must fit in 64 bits, got {} bytes at offset {}", file_, tensor.name,
            tensor.bytes, tensor.offset);
    by_offset.push_back(&tensor);
    if (part_ == GgufPart::header) continue;
    require(end <= bytes_.size(), "{}: tensor \"{}\": its data end at byte {}, but the file ends at byte {}", file_,
            tensor.name, end, bytes_.size());
    tensor.data = bytes_.subspan(tensor.offset, tensor.bytes);
  }
  std::sort(by_offset.begin(), by_offset.end(), [](const auto* a, const auto* b) { return a->offset < b->offset; });
  for (std::size_t i = 1; i < by_offset.size(); ++i) {
    const GgufTensor& before = *by_offset[i - 1];
    require(before.offset + before.bytes <= by_offset[i]->offset,
            "{}: tensors \"{}\" and \"{}\" overlap at byte {} of the file", file_, before.name, by_offset[i]->name,
            by_offset[i]->offset);
  }
}

}  // namespace

GgufContents read_gguf(std::span<const std::byte> bytes, std::string_view file, GgufPart part) {
  return Reader(bytes, file, part).read();
}

}  // namespace ridge
