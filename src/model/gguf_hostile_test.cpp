// Files that are not what they claim: each gives one clear Error, never a crash.
#include "core/error.h"
#include "model/gguf.h"
#include "support/error_of.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace ridge {
namespace {

constexpr std::uint64_t kHuge = ~std::uint64_t{0};

// Writes a GGUF file field by field, right or wrong; GgufWriter writes only right ones.
class Bytes {
 public:
  template <class T>
  Bytes& put(T value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Bytes& u32(std::uint32_t value) { return put(value); }
  Bytes& u64(std::uint64_t value) { return put(value); }
  Bytes& text(std::string_view text) {
    text_ += text;
    return *this;
  }
  Bytes& string(std::string_view value) { return u64(value.size()).text(value); }
  Bytes& pad(std::size_t size) { return text(std::string(size, '\0')); }
  Bytes& align(std::size_t alignment) { return pad((alignment - text_.size() % alignment) % alignment); }

  Bytes& header(std::uint64_t tensors, std::uint64_t entries, std::uint32_t version = 3) {
    return text("GGUF").u32(version).u64(tensors).u64(entries);
  }
  Bytes& key(std::string_view key, GgufType type) { return string(key).u32(static_cast<std::uint32_t>(type)); }
  Bytes& array(GgufType element, std::uint64_t count) { return u32(static_cast<std::uint32_t>(element)).u64(count); }
  // `shape` innermost first, as in the file.
  Bytes& tensor(std::string_view name, const std::vector<std::uint64_t>& shape, std::uint32_t type,
                std::uint64_t offset) {
    string(name).u32(static_cast<std::uint32_t>(shape.size()));
    for (const std::uint64_t size : shape) u64(size);
    return u32(type).u64(offset);
  }
  [[nodiscard]] const std::string& str() const { return text_; }

 private:
  std::string text_;
};

std::string parse_error(std::string_view bytes, GgufPart part = GgufPart::whole) {
  // An allocation of the exact size lets the address sanitizer see a read past the end.
  const std::vector<char> exact(bytes.begin(), bytes.end());
  return error_of([&] { GgufFile::from_bytes(std::as_bytes(std::span(exact)), "f", part); });
}

std::string parse_error(const Bytes& bytes, GgufPart part = GgufPart::whole) {
  return parse_error(bytes.str(), part);
}

// One tensor's info and 64 KiB of data.
std::string tensor_error(const std::vector<std::uint64_t>& shape, std::uint32_t type, std::uint64_t offset = 0,
                         GgufPart part = GgufPart::whole) {
  return parse_error(Bytes().header(1, 0).tensor("w", shape, type, offset).pad(65536), part);
}

Bytes valid_file() {
  return Bytes()
      .header(2, 4)
      .key("general.alignment", GgufType::u32)
      .u32(64)
      .key("name", GgufType::string)
      .string("tiny")
      .key("words", GgufType::array)
      .array(GgufType::string, 2)
      .string("a")
      .string("bc")
      .key("nested", GgufType::array)
      .array(GgufType::array, 1)
      .array(GgufType::boolean, 2)
      .text(std::string("\1\0", 2))
      .tensor("a", {32, 2}, 8, 0)
      .tensor("b", {5}, 0, 128)
      .align(64)
      .pad(128 + 20);
}

TEST(HostileGguf, TheValidFileIsValid) {
  EXPECT_EQ(parse_error(valid_file()), "no error");
  EXPECT_EQ(parse_error(Bytes().header(0, 0, 2)), "no error");
}

TEST(HostileGguf, MagicAndVersion) {
  EXPECT_EQ(parse_error(""), "f: header: needs 4 bytes at byte 0, but the file ends at byte 0");
  EXPECT_EQ(parse_error("GGUF"), "f: header: needs 4 bytes at byte 4, but the file ends at byte 4");
  EXPECT_EQ(parse_error("PK\3\4aaaaaaaa"), "f: not a GGUF file: it must begin with \"GGUF\", got bytes 504b0304");
  EXPECT_EQ(parse_error(Bytes().header(0, 0, 0)), "f: GGUF version must be 2 or 3, got 0");
  EXPECT_EQ(parse_error(Bytes().header(0, 0, 1)), "f: GGUF version must be 2 or 3, got 1");
  EXPECT_EQ(parse_error(Bytes().header(0, 0, 4)), "f: GGUF version must be 2 or 3, got 4");
  const std::string big_endian = "f: a big-endian GGUF file; only little-endian ones are supported";
  EXPECT_EQ(parse_error(Bytes().header(0, 0, 0x03000000)), big_endian);
  EXPECT_EQ(parse_error(Bytes().text("FUGG").u32(0x03000000)), big_endian);
}

TEST(HostileGguf, CountsThatTheFileCannotHold) {
  EXPECT_EQ(parse_error(Bytes().header(kHuge, 0)),
            "f: header: 18446744073709551615 tensors cannot be in the 8 bytes left of the file");
  EXPECT_EQ(parse_error(Bytes().header(0, 1000)),
            "f: header: 1000 metadata entries cannot be in the 0 bytes left of the file");
  EXPECT_EQ(parse_error(Bytes().header(0, 1).key("k", GgufType::array).array(GgufType::f64, kHuge / 8).pad(64)),
            "f: key \"k\": 2305843009213693951 array elements cannot be in the 64 bytes left of the file");
  EXPECT_EQ(parse_error(Bytes().header(0, 1).key("k", GgufType::array).array(GgufType::string, 9).pad(64)),
            "f: key \"k\": 9 array elements cannot be in the 64 bytes left of the file");
  EXPECT_EQ(parse_error(Bytes().header(0, 1).u64(kHuge).pad(64)),
            "f: metadata entry 1 of 1: needs 18446744073709551615 bytes at byte 32, but the file ends at byte 96");
  EXPECT_EQ(parse_error(Bytes().header(0, 1).key("k", GgufType::string).u64(65).pad(64)),
            "f: key \"k\": needs 65 bytes at byte 45, but the file ends at byte 109");
  EXPECT_EQ(parse_error(Bytes().header(1, 0).u64(9999).pad(64)),
            "f: tensor 1 of 1: needs 9999 bytes at byte 32, but the file ends at byte 96");
}

TEST(HostileGguf, Names) {
  const auto key_error = [](std::string_view key) {
    return parse_error(Bytes().header(0, 1).key(key, GgufType::u8).pad(64));
  };
  EXPECT_EQ(key_error(""), "f: metadata entry 1 of 1: its key must have 1 to 65535 bytes, got 0");
  EXPECT_EQ(key_error(std::string(65536, 'k')),
            "f: metadata entry 1 of 1: its key must have 1 to 65535 bytes, got 65536");
  EXPECT_EQ(key_error(std::string(65535, 'k')), "no error");
  const std::string rule = "f: metadata entry 1 of 1: its key must be UTF-8 without control characters";
  for (const std::string_view bad : {"\xff", "a\xc3", "\xc0\x80", "\xed\xa0\x80", "\x1b[31m", "a\nb", "\x7f"}) {
    EXPECT_EQ(key_error(bad), rule) << bad;
  }
  EXPECT_EQ(parse_error(Bytes().header(1, 0).tensor("\xfe", {1}, 0, 0).pad(64)),
            "f: tensor 1 of 1: its name must be UTF-8 without control characters");
  EXPECT_EQ(parse_error(Bytes()
                            .header(0, 3)
                            .key("a", GgufType::u8)
                            .pad(1)
                            .key("b", GgufType::u8)
                            .pad(1)
                            .key("a", GgufType::u8)
                            .pad(9)),
            "f: key \"a\" stands twice");
  EXPECT_EQ(parse_error(Bytes().header(2, 0).tensor("w", {1}, 0, 0).tensor("w", {1}, 0, 32).pad(128)),
            "f: tensor \"w\" stands twice");
}

TEST(HostileGguf, Values) {
  EXPECT_EQ(parse_error(Bytes().header(0, 1).string("k").u32(13).pad(64)),
            "f: key \"k\": value type must be 0 to 12, got 13");
  EXPECT_EQ(parse_error(Bytes().header(0, 1).key("k", GgufType::array).u32(77).pad(64)),
            "f: key \"k\": value type must be 0 to 12, got 77");
  EXPECT_EQ(parse_error(Bytes().header(0, 1).key("k", GgufType::boolean).text("\2").pad(9)),
            "f: key \"k\": a bool must be 0 or 1, got 2");
  EXPECT_EQ(parse_error(Bytes().header(0, 1).key("k", GgufType::array).array(GgufType::boolean, 2).text("\1\xff")),
            "f: key \"k\": a bool must be 0 or 1, got 255");
}

TEST(HostileGguf, NestedArrays) {
  const auto nested = [](int depth) {
    Bytes bytes = Bytes().header(0, 1).key("k", GgufType::array);
    for (int i = 1; i < depth; ++i) bytes.array(GgufType::array, 1);
    return bytes.array(GgufType::u8, 0);
  };
  EXPECT_EQ(parse_error(nested(4)), "no error");
  EXPECT_EQ(parse_error(nested(5)), "f: key \"k\": arrays may be nested 4 deep at most");
  EXPECT_EQ(parse_error(nested(100000)), "f: key \"k\": arrays may be nested 4 deep at most");
}

TEST(HostileGguf, Alignment) {
  const auto alignment = [](std::uint32_t value) {
    return parse_error(Bytes().header(0, 1).key("general.alignment", GgufType::u32).u32(value));
  };
  const std::string rule = "f: key \"general.alignment\" must be a power of two from 8 to 1048576, got ";
  EXPECT_EQ(alignment(0), rule + "u32 0");
  EXPECT_EQ(alignment(4), rule + "u32 4");
  EXPECT_EQ(alignment(48), rule + "u32 48");
  EXPECT_EQ(alignment(0x80000000U), rule + "u32 2147483648");
  EXPECT_EQ(alignment(1 << 20), "no error");
  EXPECT_EQ(parse_error(Bytes().header(0, 1).key("general.alignment", GgufType::string).string("32")), rule + "string");
}

TEST(HostileGguf, Shapes) {
  EXPECT_EQ(tensor_error({}, 0), "f: tensor \"w\": must have 1 to 4 dimensions, got 0");
  EXPECT_EQ(tensor_error({1, 1, 1, 1, 1}, 0), "f: tensor \"w\": must have 1 to 4 dimensions, got 5");
  EXPECT_EQ(tensor_error({4, 0}, 0), "f: tensor \"w\": every dimension must be 1 to 2^63 - 1, got 0");
  EXPECT_EQ(tensor_error({kHuge}, 0), "f: tensor \"w\": every dimension must be 1 to 2^63 - 1, got -1");
  EXPECT_EQ(tensor_error({33}, 8), "f: tensor \"w\": rows of Q8_0 must have a multiple of 32 elements, got 33");
  EXPECT_EQ(tensor_error({32}, 12), "f: tensor \"w\": rows of Q4_K must have a multiple of 256 elements, got 32");
  const std::uint64_t big = std::uint64_t{1} << 32;
  EXPECT_EQ(tensor_error({big, big}, 24),
            "f: tensor \"w\": its size must fit in 63 bits, got shape [4294967296, 4294967296]");
  EXPECT_EQ(tensor_error({2, big, big, 2}, 2),
            "f: tensor \"w\": rows of Q4_0 must have a multiple of 32 elements, got 2");
  // Fewer than 2^63 elements, but not bytes; and fewer than 2^63 bytes, but not elements.
  EXPECT_EQ(tensor_error({big, big / 4}, 0),
            "f: tensor \"w\": its size must fit in 63 bits, got shape [1073741824, 4294967296]");
  EXPECT_EQ(tensor_error({big, big / 2}, 2),
            "f: tensor \"w\": its size must fit in 63 bits, got shape [2147483648, 4294967296]");
}

TEST(HostileGguf, TypesThatAreUnknownOrUnsupported) {
  EXPECT_EQ(tensor_error({32}, 43), "f: tensor \"w\": its type must be one that GGUF defines, got unknown (type 43)");
  EXPECT_EQ(tensor_error({32}, 4), "f: tensor \"w\": its type must be one that GGUF defines, got Q4_2 (type 4)");
  const Bytes bytes = Bytes().header(1, 0).tensor("w", {256}, 12, 0).pad(65536);
  const GgufFile file = GgufFile::from_bytes(std::as_bytes(std::span(bytes.str())), "f");
  EXPECT_EQ(file.tensors()[0].format, std::nullopt);
  EXPECT_EQ(file.tensors()[0].bytes, 144U);
  try {
    (void)file.require_format(file.tensors()[0]);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "f: tensor \"w\": its type must be one of F32, F16, BF16, Q4_0, Q4_1, Q8_0, got Q4_K (type 12)");
  }
}

TEST(HostileGguf, Offsets) {
  EXPECT_EQ(tensor_error({1}, 0, 16), "f: tensor \"w\": its offset must be a multiple of 32, got 16");
  EXPECT_EQ(tensor_error({1}, 0, 65536 + 64),
            "f: tensor \"w\": its data end at byte 65668, but the file ends at byte 65593");
  EXPECT_EQ(tensor_error({16384}, 0, 64),
            "f: tensor \"w\": its data end at byte 65664, but the file ends at byte 65593");
  const std::uint64_t last = ~std::uint64_t{31};
  EXPECT_EQ(tensor_error({1}, 0, last), "f: tensor \"w\": its end must fit in 64 bits, got 4 bytes at offset 32");
  EXPECT_EQ(tensor_error({64}, 0, last - 128, GgufPart::header),
            "f: tensor \"w\": its end must fit in 64 bits, got 256 bytes at offset 18446744073709551520");
  EXPECT_EQ(parse_error(Bytes().header(2, 0).tensor("v", {32}, 0, 64).tensor("w", {17}, 0, 0).pad(512)),
            "f: tensors \"w\" and \"v\" overlap at byte 160 of the file");
  EXPECT_EQ(parse_error(Bytes().header(2, 0).tensor("v", {1}, 0, 64).tensor("w", {1}, 0, 64).pad(512)),
            "f: tensors \"v\" and \"w\" overlap at byte 160 of the file");
}

TEST(HostileGguf, EveryTruncationIsAnError) {
  const std::string whole = valid_file().str();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(parse_error(std::string_view(whole).substr(0, size)), "no error") << size;
  }
}

// What a reader of files does after opening one.
void read_everything(const GgufFile& file) {
  for (const GgufEntry& entry : file.entries()) {
    (void)entry.value.to_text(4);
    (void)entry.value.as<std::int32_t>();
    (void)entry.value.as_array<std::string_view>();
    (void)entry.value.as_array<float>();
  }
  unsigned sum = 0;
  for (const GgufTensor& tensor : file.tensors()) {
    for (const std::byte byte : tensor.data) sum += std::to_integer<unsigned>(byte);
  }
  EXPECT_GE(sum, 0U);
}

TEST(HostileGguf, FlippedBytesGiveErrorsOrReadableFiles) {
  const std::string whole = valid_file().str();
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::vector<char> bytes(whole.begin(), whole.end());
    for (auto flips = random() % 3 + 1; flips > 0; --flips)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    try {
      read_everything(GgufFile::from_bytes(std::as_bytes(std::span(bytes)), "f"));
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace ridge
