#include "formats/format.h"

#include "core/error.h"
#include "core/half.h"
#include "core/json.h"
#include "formats/ggml_types.h"
#include "formats/q4_0.h"
#include "formats/q4_1.h"
#include "formats/q8_0.h"
#include "support/error_of.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace ridge {
namespace {

// Runs `work` and returns the message of the Error it throws.
std::vector<std::byte> bytes_of_hex(const std::string& hex) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

std::vector<float> floats_of_hex(const std::string& hex) {
  const std::vector<std::byte> bytes = bytes_of_hex(hex);
  std::vector<float> floats(bytes.size() / sizeof(float));
  std::memcpy(floats.data(), bytes.data(), bytes.size());
  return floats;
}

class Goldens : public testing::TestWithParam<FormatInfo> {
 protected:
  [[nodiscard]] Json golden(const std::string& way) const {
    const Json document = read_json(std::string(RIDGE_SOURCE_DIR) + "/tests/data/formats/goldens.json");
    return document.at("formats").at(std::string(GetParam().name)).at(way);
  }
};

TEST_P(Goldens, DecodesBitForBit) {
  const Json golden = this->golden("decode");
  const std::vector<std::byte> blocks = bytes_of_hex(golden.at("blocks"));
  const std::vector<float> expected = floats_of_hex(golden.at("values"));
  ASSERT_FALSE(expected.empty());
  std::vector<float> decoded(expected.size(), std::numeric_limits<float>::quiet_NaN());
  decode_row(GetParam().format, blocks, decoded);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint32_t>(decoded[i]), std::bit_cast<std::uint32_t>(expected[i])) << i;
  }
}

TEST_P(Goldens, EncodesBitForBit) {
  const Json golden = this->golden("encode");
  const std::vector<float> values = floats_of_hex(golden.at("values"));
  const std::vector<std::byte> expected = bytes_of_hex(golden.at("blocks"));
  ASSERT_FALSE(expected.empty());
  std::vector<std::byte> encoded(expected.size(), std::byte{0xcc});
  encode_row(GetParam().format, values, encoded);
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(encoded[i], expected[i]) << i;
}

TEST_P(Goldens, GroupsGiveTheDecodedWeights) {
  const auto view = group_view(GetParam().format);
  if (!view) {
    EXPECT_LT(GetParam().block_elements, kGroupElements);
    return;
  }
  const std::vector<std::byte> blocks = bytes_of_hex(golden("decode").at("blocks"));
  const auto size = static_cast<std::size_t>(GetParam().block_bytes);
  for (std::size_t at = 0; at < blocks.size(); at += size) {
    const std::span<const std::byte> block(blocks.data() + at, size);
    std::array<float, kGroupElements> decoded{};
    decode_row(GetParam().format, block, decoded);
    const Group group = unpack_group(GetParam().format, block);
    for (std::size_t k = 0; k < decoded.size(); ++k) {
      const int lowest = view->is_signed ? -(1 << (view->bits - 1)) : 0;
      ASSERT_GE(group.q[k], lowest);
      ASSERT_LT(group.q[k], lowest + (1 << view->bits));
      ASSERT_EQ(std::fma(group.scale, static_cast<float>(group.q[k]), group.minimum), decoded[k]);
    }
    ASSERT_TRUE(view->has_minimum || group.minimum == 0.0F);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Goldens, testing::ValuesIn(format_table().begin(), format_table().end()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(Format, TableIsInOrderAndAgreesWithTheTableOfGgmlTypes) {
  for (std::size_t i = 0; i < format_table().size(); ++i) {
    const FormatInfo& info = format_table()[i];
    EXPECT_EQ(static_cast<std::size_t>(info.format), i);
    const auto type = find_ggml_type(info.ggml_type);
    ASSERT_TRUE(type.has_value());
    EXPECT_EQ(type->name, info.name);
    EXPECT_EQ(type->block_elements, info.block_elements);
    EXPECT_EQ(type->block_bytes, info.block_bytes);
  }
}

TEST(Format, LookUps) {
  EXPECT_EQ(find_format("q4_1"), Format::q4_1);
  EXPECT_EQ(find_format("Bf16"), Format::bf16);
  EXPECT_EQ(find_format("Q4_"), std::nullopt);
  EXPECT_EQ(find_format(""), std::nullopt);
  EXPECT_EQ(find_format(30U), Format::bf16);
  EXPECT_EQ(find_format(12U), std::nullopt);
  EXPECT_EQ(format_names(), "F32, F16, BF16, Q4_0, Q4_1, Q8_0");
  EXPECT_EQ(ggml_type_name(12), "Q4_K (type 12)");
  EXPECT_EQ(ggml_type_name(4), "Q4_2 (type 4)");
  EXPECT_EQ(ggml_type_name(99), "unknown (type 99)");
  for (std::uint32_t id = 0; find_ggml_type(id); ++id) EXPECT_EQ(find_ggml_type(id)->id, id);
}

TEST(Format, RowBytes) {
  EXPECT_EQ(row_bytes(Format::q4_1, 576), 360);
  EXPECT_EQ(row_bytes(Format::f32, 0), 0);
  EXPECT_EQ(error_of([] { row_bytes(Format::q8_0, 33); }),
            "Q8_0: a row's length must be a non-negative multiple of 32, got 33");
  EXPECT_EQ(error_of([] { row_bytes(Format::f16, -1); }),
            "F16: a row's length must be a non-negative multiple of 1, got -1");
  EXPECT_EQ(error_of([] { row_bytes(Format::f32, std::numeric_limits<std::int64_t>::max()); }),
            "F32: the bytes of a row must fit in 63 bits, got 9223372036854775807 weights");
}

TEST(Format, RefusesRowsOfAnotherSize) {
  std::vector<std::byte> row(35);
  std::vector<float> floats(32);
  EXPECT_EQ(error_of([&] { decode_row(Format::q8_0, row, floats); }), "Q8_0: a row of 32 weights has 34 bytes, got 35");
  EXPECT_EQ(error_of([&] { encode_row(Format::q4_1, floats, row); }), "Q4_1: a row of 32 weights has 20 bytes, got 35");
  EXPECT_EQ(error_of([&] { unpack_group(Format::q4_0, row); }), "Q4_0: a block has 18 bytes, got 35");
  EXPECT_EQ(error_of([&] { unpack_group(Format::bf16, row); }), "BF16: has no groups of integers");
}

// What encode promises only for finite weights must still not be undefined behaviour for others.
TEST(Format, EncodingNonFiniteWeightsIsDefined) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float odd : {infinity, -infinity, nan, std::numeric_limits<float>::denorm_min()}) {
    std::vector<float> weights(64, odd);
    weights[40] = 1.0F;
    for (const FormatInfo& info : format_table()) {
      std::vector<std::byte> row(static_cast<std::size_t>(row_bytes(info.format, 64)));
      encode_row(info.format, weights, row);
    }
  }
}

TEST(Format, UnalignedRowsDecode) {
  std::vector<std::byte> bytes(35, std::byte{1});
  std::array<float, 32> out{};
  decode_row(Format::q8_0, std::span(bytes).subspan(1), out);
  EXPECT_EQ(out[31], to_float(Half{0x0101}));
}

// All 2^16 scales: the minimum of Q4_0 is exact and its groups equal its decode.
TEST(Format, Q4_0MinimumIsExactForEveryFiniteScale) {
  Q4_0Block block{};
  for (std::size_t k = 0; k < 32; ++k) set_nibble(block.q, k, static_cast<std::uint8_t>(k % 16));
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    if ((bits & 0x7c00U) == 0x7c00U) continue;
    block.scale = Half{static_cast<std::uint16_t>(bits)};
    std::array<float, 32> decoded{};
    decode(block, decoded);
    const Group group = unpack(block);
    for (std::size_t k = 0; k < 32; ++k) {
      ASSERT_EQ(std::fma(group.scale, static_cast<float>(group.q[k]), group.minimum), decoded[k]) << bits;
    }
  }
}

}  // namespace
}  // namespace ridge
