#include "text/utf8.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ridge {
namespace {

using Kind = Utf8Unit::Kind;

std::string utf8_of(std::uint32_t code_point) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((code_point >> shift) & 0x3F)); };
  if (code_point < 0x80) return {static_cast<char>(code_point)};
  if (code_point < 0x800) return {static_cast<char>(0xC0 | code_point >> 6), tail(0)};
  if (code_point < 0x10000) return {static_cast<char>(0xE0 | code_point >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | code_point >> 18), tail(12), tail(6), tail(0)};
}

TEST(Utf8, EveryCodePointIsOneUnitAndEachOfItsStartsIsIncomplete) {
  for (std::uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
    const bool surrogate = code_point >= 0xD800 && code_point < 0xE000;
    const std::string bytes = utf8_of(code_point);
    const Utf8Unit unit = utf8_unit(bytes + "a");
    ASSERT_EQ(unit.kind == Kind::character, !surrogate) << code_point;
    if (surrogate) continue;
    ASSERT_EQ(unit.size, bytes.size()) << code_point;
    for (std::size_t size = 1; size < bytes.size(); ++size) {
      const Utf8Unit start = utf8_unit(std::string_view(bytes).substr(0, size));
      ASSERT_EQ(start.kind, Kind::incomplete) << code_point;
      ASSERT_EQ(start.size, size) << code_point;
    }
  }
}

// Each right side is what Python's bytes.decode("utf-8", errors="replace") gives.
TEST(Utf8, BrokenSequencesAreReplacedAsPythonDoes) {
  using namespace std::string_literals;
  const std::string r = "\xEF\xBF\xBD";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", ""},
      {"a\0b"s, "a\0b"s},
      {"\x80", r},
      {"\xFF\xFE", r + r},
      {"\xC0\xAF", r + r},
      {"\xC1\xBF", r + r},
      {"\xC3", r},
      {"\xC3(", r + "("},
      {"\xE2\x82", r},
      {"\xE2\x82z", r + "z"},
      {"\xE2\xE2\x82\xAC", r + "\xE2\x82\xAC"},
      {"\xE0\x80\x80", r + r + r},
      {"\xE0\x9F\xBF", r + r + r},
      {"\xED\xA0\x80", r + r + r},
      {"\xED\x9F\xBF", "\xED\x9F\xBF"},
      {"\xF0\x80\x80\x80", r + r + r + r},
      {"\xF0\x9F\x98", r},
      {"\xF0\x9F\x98z", r + "z"},
      {"\xF0\x9F\xF0\x9F\x98\x80", r + "\xF0\x9F\x98\x80"},
      {"\xF4\x90\x80\x80", r + r + r + r},
      {"\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF"},
      {"\xF5\x80\x80\x80", r + r + r + r},
      {"0123456789\x80"
       "0123456789\xC3\xA9\xC3",
       "0123456789" + r + "0123456789\xC3\xA9" + r},
  };
  for (const auto& [bytes, text] : cases) EXPECT_EQ(replace_broken_utf8(bytes), text);
}

TEST(Utf8, ValidPrefixEndsBeforeTheFirstBrokenByteWhereverItStands) {
  for (std::size_t at = 0; at < 40; ++at) {
    std::string bytes(40, 'a');
    EXPECT_EQ(valid_utf8_prefix(bytes), 40U);
    bytes[at] = '\x80';
    EXPECT_EQ(valid_utf8_prefix(bytes), at);
  }
}

}  // namespace
}  // namespace ridge
