#include "model/gguf_value.h"

#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace ridge {
namespace {

constexpr std::size_t kStringHead = sizeof(std::uint64_t);
constexpr std::size_t kArrayHead = sizeof(std::uint32_t) + sizeof(std::uint64_t);

constexpr std::array<std::string_view, kGgufTypes> kNames = {"u8",   "i8",     "u16",   "i16", "u32", "i32", "f32",
                                                             "bool", "string", "array", "u64", "i64", "f64"};
constexpr std::array<std::size_t, kGgufTypes> kFixedBytes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

std::string_view load_string(const std::byte* at) {
  return {reinterpret_cast<const char*>(at + kStringHead), load_unaligned<std::uint64_t>(at)};
}

// Calls visit() with the number, bool or string_view at `at`. Arrays are the caller's to exclude.
template <class Visit>
auto visit_scalar(GgufType type, const std::byte* at, Visit&& visit) {
  switch (type) {
    case GgufType::u8:
      return visit(load_unaligned<std::uint8_t>(at));
    case GgufType::i8:
      return visit(load_unaligned<std::int8_t>(at));
    case GgufType::u16:
      return visit(load_unaligned<std::uint16_t>(at));
    case GgufType::i16:
      return visit(load_unaligned<std::int16_t>(at));
    case GgufType::u32:
      return visit(load_unaligned<std::uint32_t>(at));
    case GgufType::i32:
      return visit(load_unaligned<std::int32_t>(at));
    case GgufType::f32:
      return visit(load_unaligned<float>(at));
    case GgufType::boolean:
      return visit(load_unaligned<std::uint8_t>(at) != 0);
    case GgufType::u64:
      return visit(load_unaligned<std::uint64_t>(at));
    case GgufType::i64:
      return visit(load_unaligned<std::int64_t>(at));
    case GgufType::f64:
      return visit(load_unaligned<double>(at));
    case GgufType::string:
    case GgufType::array:
      break;
  }
  return visit(load_string(at));
}

std::size_t scalar_bytes(GgufType type, const std::byte* at) {
  return type == GgufType::string ? kStringHead + load_string(at).size() : gguf_fixed_bytes(type);
}

template <class T>
constexpr bool kIsInteger = std::is_integral_v<T> && !std::is_same_v<T, bool>;

// GgufValue::as for one scalar.
template <class To, class From>
std::optional<To> convert(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (kIsInteger<To> && kIsInteger<From>) {
    if (std::in_range<To>(value)) return static_cast<To>(value);
  } else if constexpr (std::is_same_v<To, float> && std::is_same_v<From, double>) {
    if (!(std::isfinite(value) && std::abs(value) > std::numeric_limits<float>::max()))
      return static_cast<float>(value);
  }
  return std::nullopt;
}

std::string scalar_text(GgufType type, const std::byte* at) {
  return visit_scalar(type, at, [](auto value) { return fmt::format("{}", value); });
}

}  // namespace

std::string_view gguf_type_name(GgufType type) {
  return kNames.at(static_cast<std::size_t>(type));
}

std::size_t gguf_fixed_bytes(GgufType type) {
  return kFixedBytes.at(static_cast<std::size_t>(type));
}

std::string GgufValue::describe() const {
  if (type_ == GgufType::string) return "string";
  if (type_ == GgufType::array) return fmt::format("array of {} {}", element_count(), gguf_type_name(element_type()));
  return fmt::format("{} {}", gguf_type_name(type_), scalar_text(type_, bytes_.data()));
}

std::string GgufValue::to_text(std::size_t max_elements) const {
  if (type_ != GgufType::array) return scalar_text(type_, bytes_.data());
  if (element_type() == GgufType::array) return describe();
  std::string text = "[";
  const std::byte* at = bytes_.data() + kArrayHead;
  const std::uint64_t shown = std::min<std::uint64_t>(element_count(), max_elements);
  for (std::uint64_t i = 0; i < shown; ++i) {
    text += (i == 0 ? "" : ", ") + scalar_text(element_type(), at);
    at += scalar_bytes(element_type(), at);
  }
  if (shown < element_count()) text += fmt::format("{}… {} in all", shown == 0 ? "" : ", ", element_count());
  return text + "]";
}

template <class T>
std::optional<T> GgufValue::as() const {
  if (type_ == GgufType::array) return std::nullopt;
  return visit_scalar(type_, bytes_.data(), [](auto value) { return convert<T>(value); });
}

template <class T>
std::optional<std::vector<T>> GgufValue::as_array() const {
  if (type_ != GgufType::array || element_type() == GgufType::array) return std::nullopt;
  std::vector<T> values;
  values.reserve(element_count());
  const std::byte* at = bytes_.data() + kArrayHead;
  for (std::uint64_t i = 0; i < element_count(); ++i) {
    const auto value = visit_scalar(element_type(), at, [](auto element) { return convert<T>(element); });
    if (!value) return std::nullopt;
    values.push_back(*value);
    at += scalar_bytes(element_type(), at);
  }
  return values;
}

template std::optional<std::int32_t> GgufValue::as() const;
template std::optional<std::uint32_t> GgufValue::as() const;
template std::optional<std::int64_t> GgufValue::as() const;
template std::optional<std::uint64_t> GgufValue::as() const;
template std::optional<float> GgufValue::as() const;
template std::optional<bool> GgufValue::as() const;
template std::optional<std::string_view> GgufValue::as() const;
template std::optional<std::vector<std::int32_t>> GgufValue::as_array() const;
template std::optional<std::vector<std::uint32_t>> GgufValue::as_array() const;
template std::optional<std::vector<std::int64_t>> GgufValue::as_array() const;
template std::optional<std::vector<std::uint64_t>> GgufValue::as_array() const;
template std::optional<std::vector<float>> GgufValue::as_array() const;
template std::optional<std::vector<bool>> GgufValue::as_array() const;
template std::optional<std::vector<std::string_view>> GgufValue::as_array() const;

}  // namespace ridge
