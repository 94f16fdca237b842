#include "model/gguf.h"

#include "core/error.h"
#include "model/gguf_writer.h"
#include "support/error_of.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace ridge {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

constexpr std::array<float, 6> kNorm = {1, 2, 3, 4, 5, 6};
const std::string kPacked(2 * 3 * 20, 'q');  // Q4_1 [2, 96]

// A file with a key of every type, and two tensors.
GgufWriter sample() {
  GgufWriter writer;
  writer.add("u8", std::uint8_t{200});
  writer.add("i8", std::int8_t{-100});
  writer.add("u16", std::uint16_t{60000});
  writer.add("i16", std::int16_t{-30000});
  writer.add("u32", std::uint32_t{4000000000U});
  writer.add("i32", std::int32_t{-2000000000});
  writer.add("u64", std::numeric_limits<std::uint64_t>::max());
  writer.add("i64", std::numeric_limits<std::int64_t>::min());
  writer.add("f32", 1.5F);
  writer.add("f64", 0.25);
  writer.add("f64.huge", 1e300);
  writer.add("yes", true);
  writer.add("no", false);
  writer.add("text", std::string_view("h\xc3\xa9llo"));
  writer.add("empty", std::string_view());
  const std::array<std::int32_t, 3> numbers = {3, -1, 4};
  writer.add_array<std::int32_t>("numbers", numbers);
  const std::array<std::string_view, 3> words = {"a", "", "ccc"};
  writer.add_array<std::string_view>("words", words);
  const std::array<float, 2> scores = {0.5F, -1.0F};
  writer.add_array<float>("scores", scores);
  const std::array<bool, 2> flags = {true, false};
  writer.add_array<bool>("flags", flags);
  writer.add_tensor("norm", Format::f32, std::array<std::int64_t, 1>{6}, std::as_bytes(std::span(kNorm)));
  writer.add_tensor("blk.0.w", Format::q4_1, std::array<std::int64_t, 2>{2, 96}, bytes_of(kPacked));
  return writer;
}

class Gguf : public testing::Test {
 protected:
  const std::string bytes_ = sample().bytes();
  const GgufFile file_ = GgufFile::from_bytes(bytes_of(bytes_), "f.gguf");
};

TEST_F(Gguf, ScalarsConvertWhenTheyFit) {
  EXPECT_EQ(file_.at<std::uint32_t>("u8"), 200U);
  EXPECT_EQ(file_.at<std::int32_t>("i8"), -100);
  EXPECT_EQ(file_.at<std::int32_t>("u16"), 60000);
  EXPECT_EQ(file_.at<std::int64_t>("i16"), -30000);
  EXPECT_EQ(file_.at<std::uint64_t>("u32"), 4000000000U);
  EXPECT_EQ(file_.at<std::int64_t>("i32"), -2000000000);
  EXPECT_EQ(file_.at<std::uint64_t>("u64"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(file_.at<std::int64_t>("i64"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(file_.at<float>("f32"), 1.5F);
  EXPECT_EQ(file_.at<float>("f64"), 0.25F);
  EXPECT_TRUE(file_.at<bool>("yes"));
  EXPECT_FALSE(file_.at<bool>("no"));
  EXPECT_EQ(file_.at<std::string_view>("text"), "h\xc3\xa9llo");
  EXPECT_EQ(file_.at<std::string_view>("empty"), "");
}

TEST_F(Gguf, AbsentKeysAreNoneOrAnError) {
  EXPECT_EQ(file_.get<std::uint32_t>("nothing"), std::nullopt);
  EXPECT_EQ(file_.get_array<float>("nothing"), std::nullopt);
  EXPECT_EQ(file_.find("nothing"), nullptr);
  EXPECT_EQ(error_of([&] { (void)file_.at<bool>("nothing"); }), "f.gguf: key \"nothing\" is missing");
  EXPECT_EQ(error_of([&] { (void)file_.at_array<float>("nothing"); }), "f.gguf: key \"nothing\" is missing");
}

TEST_F(Gguf, WrongTypesNameKeyWantedAndGiven) {
  EXPECT_EQ(error_of([&] { (void)file_.get<std::uint32_t>("i8"); }), "f.gguf: key \"i8\" must be u32, got i8 -100");
  EXPECT_EQ(error_of([&] { (void)file_.get<std::int32_t>("u32"); }),
            "f.gguf: key \"u32\" must be i32, got u32 4000000000");
  EXPECT_EQ(error_of([&] { (void)file_.get<std::int64_t>("u64"); }),
            "f.gguf: key \"u64\" must be i64, got u64 18446744073709551615");
  EXPECT_EQ(error_of([&] { (void)file_.get<float>("f64.huge"); }),
            "f.gguf: key \"f64.huge\" must be f32, got f64 1e+300");
  EXPECT_EQ(error_of([&] { (void)file_.get<float>("u8"); }), "f.gguf: key \"u8\" must be f32, got u8 200");
  EXPECT_EQ(error_of([&] { (void)file_.get<std::uint32_t>("yes"); }), "f.gguf: key \"yes\" must be u32, got bool true");
  EXPECT_EQ(error_of([&] { (void)file_.get<bool>("u8"); }), "f.gguf: key \"u8\" must be bool, got u8 200");
  EXPECT_EQ(error_of([&] { (void)file_.get<bool>("text"); }), "f.gguf: key \"text\" must be bool, got string");
  EXPECT_EQ(error_of([&] { (void)file_.get<std::string_view>("words"); }),
            "f.gguf: key \"words\" must be string, got array of 3 string");
  EXPECT_EQ(error_of([&] { (void)file_.get_array<std::uint32_t>("numbers"); }),
            "f.gguf: key \"numbers\" must be array of u32, got array of 3 i32");
  EXPECT_EQ(error_of([&] { (void)file_.get_array<float>("f32"); }),
            "f.gguf: key \"f32\" must be array of f32, got f32 1.5");
}

TEST_F(Gguf, Arrays) {
  EXPECT_EQ(file_.at_array<std::int32_t>("numbers"), (std::vector<std::int32_t>{3, -1, 4}));
  EXPECT_EQ(file_.at_array<std::string_view>("words"), (std::vector<std::string_view>{"a", "", "ccc"}));
  EXPECT_EQ(file_.at_array<float>("scores"), (std::vector<float>{0.5F, -1.0F}));
  EXPECT_EQ(file_.get_array<bool>("flags"), (std::vector<bool>{true, false}));
}

TEST_F(Gguf, EntriesKeepTheirOrderAndReadAsText) {
  ASSERT_EQ(file_.entries().size(), 19U);
  EXPECT_EQ(file_.entries().front().key, "u8");
  EXPECT_EQ(file_.entries().back().key, "flags");
  EXPECT_EQ(file_.find("i64")->to_text(1), "-9223372036854775808");
  EXPECT_EQ(file_.find("yes")->to_text(1), "true");
  EXPECT_EQ(file_.find("text")->to_text(1), "h\xc3\xa9llo");
  EXPECT_EQ(file_.find("numbers")->to_text(3), "[3, -1, 4]");
  EXPECT_EQ(file_.find("numbers")->to_text(2), "[3, -1, … 3 in all]");
  EXPECT_EQ(file_.find("numbers")->to_text(0), "[… 3 in all]");
  EXPECT_EQ(file_.find("words")->to_text(9), "[a, , ccc]");
}

TEST_F(Gguf, TensorsHaveShapeOutermostFirstAndTheirBytes) {
  ASSERT_EQ(file_.tensors().size(), 2U);
  const GgufTensor& packed = file_.at_tensor("blk.0.w");
  EXPECT_EQ(packed.shape, (std::vector<std::int64_t>{2, 96}));
  EXPECT_EQ(packed.format, Format::q4_1);
  EXPECT_EQ(packed.bytes, kPacked.size());
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(packed.data.data()), packed.data.size()), kPacked);
  EXPECT_EQ(packed.offset, static_cast<std::uint64_t>(packed.data.data() - bytes_of(bytes_).data()));
  std::array<float, 6> norm{};
  decode_row(Format::f32, file_.at_tensor("norm").data, norm);
  EXPECT_EQ(norm, kNorm);
  EXPECT_EQ(file_.find_tensor("blk.0"), nullptr);
  EXPECT_EQ(error_of([&] { (void)file_.at_tensor("blk.0"); }), "f.gguf: tensor \"blk.0\" is missing");
}

class GgufOnDisk : public Gguf {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  const std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "ridge_gguf_test";
  const std::string path_ = folder_ / "model.gguf";
};

TEST_F(GgufOnDisk, WrittenFilesAreTheBytesInMemoryAndSurviveMoves) {
  sample().write(path_);
  EXPECT_EQ(read_file(path_, std::size_t{1} << 20), bytes_);
  GgufFile opened = GgufFile::open(path_);
  const GgufFile moved = std::move(opened);
  EXPECT_EQ(moved.name(), path_);
  EXPECT_EQ(moved.version(), 3U);
  EXPECT_EQ(moved.at<std::string_view>("text"), "h\xc3\xa9llo");
  const GgufTensor& packed = moved.at_tensor("blk.0.w");
  moved.release(packed);
  EXPECT_EQ(packed.data.back(), std::byte{'q'});
}

TEST_F(GgufOnDisk, AHeaderAloneOpensOnlyAsSuch) {
  const std::size_t header_bytes = file_.at_tensor("norm").offset;
  write_file_atomically(path_, std::string_view(bytes_).substr(0, header_bytes));
  const GgufFile header = GgufFile::open_header(path_);
  EXPECT_EQ(header.at<float>("f32"), 1.5F);
  EXPECT_EQ(header.at_tensor("blk.0.w").bytes, kPacked.size());
  EXPECT_TRUE(header.at_tensor("blk.0.w").data.empty());
  header.release(header.at_tensor("blk.0.w"));
  EXPECT_EQ(error_of([&] { GgufFile::open(path_); }),
            path_ + ": tensor \"norm\": its data end at byte " + std::to_string(header_bytes + 24) +
                ", but the file ends at byte " + std::to_string(header_bytes));
}

TEST_F(GgufOnDisk, AVocabularyFileHasNoDataSection) {
  GgufWriter writer;
  writer.add("key", true);
  const std::string bytes = writer.bytes();
  const GgufFile file = GgufFile::from_bytes(bytes_of(std::string_view(bytes).substr(0, 24 + 8 + 3 + 4 + 1)), "v");
  EXPECT_TRUE(file.at<bool>("key"));
}

// Files written by the `gguf` Python package (tools/make_goldens/gguf_files.py).
GgufFile python_file(const std::string& name) {
  return GgufFile::open(std::string(RIDGE_SOURCE_DIR) + "/tests/data/fuzz/gguf/" + name);
}

TEST(GgufOfPython, Values) {
  const GgufFile file = python_file("values.gguf");
  EXPECT_EQ(file.at<std::string_view>("general.architecture"), "llama");
  EXPECT_EQ(file.at<std::uint64_t>("u64"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(file.at<std::int64_t>("i64"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(file.at<float>("f64"), 0.25F);
  EXPECT_EQ(file.at<std::string_view>("string"), "h\xc3\xa9llo");
  EXPECT_EQ(file.at_array<std::int32_t>("array.i32"), (std::vector<std::int32_t>{1, -2, 3}));
  EXPECT_EQ(file.at_array<std::string_view>("array.string"), (std::vector<std::string_view>{"a", "bc",
                                                                                            "d\xc3\xa9"
                                                                                            "f"}));
  EXPECT_EQ(file.find("array.nested")->to_text(9), "array of 2 array");
  EXPECT_EQ(file.get_array<bool>("array.bool"), (std::vector<bool>{true, false}));
  EXPECT_TRUE(file.tensors().empty());
}

TEST(GgufOfPython, Tensors) {
  const GgufFile file = python_file("tensors.gguf");
  ASSERT_EQ(file.tensors().size(), 8U);
  for (const GgufTensor& tensor : file.tensors()) {
    EXPECT_EQ(tensor.offset % 64, 0U);
    if (tensor.name == "norm" || tensor.name == "q5_0.weight") continue;
    EXPECT_EQ(tensor.shape, (std::vector<std::int64_t>{2, 32}));
    EXPECT_EQ(find_format(tensor.name.substr(0, tensor.name.find('.'))), file.require_format(tensor));
    EXPECT_EQ(tensor.data.size(), static_cast<std::size_t>(2 * row_bytes(*tensor.format, 32)));
  }
  EXPECT_EQ(file.at_tensor("norm").shape, (std::vector<std::int64_t>{3}));
  EXPECT_EQ(file.at_tensor("q5_0.weight").format, std::nullopt);
  EXPECT_EQ(file.at_tensor("q5_0.weight").bytes, 44U);
}

TEST(GgufWriter, RefusesWhatTheFormatCannotHold) {
  GgufWriter writer;
  using Shape = std::vector<std::int64_t>;
  const auto add = [&](Format format, const Shape& shape) {
    return error_of([&] { writer.add_tensor("w", format, shape, bytes_of("1234")); });
  };
  EXPECT_EQ(add(Format::f32, {1}), "no error");
  EXPECT_EQ(add(Format::f32, {}), "tensor \"w\": must have 1 to 4 dimensions, got 0");
  EXPECT_EQ(add(Format::f32, {1, 1, 1, 1, 1}), "tensor \"w\": must have 1 to 4 dimensions, got 5");
  EXPECT_EQ(add(Format::f32, {2, 1}), "tensor \"w\": F32 [2, 1] has 8 bytes, got 4");
  EXPECT_EQ(add(Format::q8_0, {2, 33}), "Q8_0: a row's length must be a non-negative multiple of 32, got 33");
  EXPECT_EQ(add(Format::f32, {-2, 1}),
            "tensor \"w\": sizes must be positive and its bytes fit in 63 bits, got shape [-2, 1]");
  EXPECT_EQ(add(Format::f32, {std::int64_t{1} << 62, 1}),
            "tensor \"w\": sizes must be positive and its bytes fit in 63 bits, got shape [4611686018427387904, 1]");
}

}  // namespace
}  // namespace ridge
