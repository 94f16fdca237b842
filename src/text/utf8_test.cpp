#include "text/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "text/jinja/unicode.h"

namespace ridge {
namespace {

using Kind = Utf8Unit::Kind;

TEST(Utf8, EveryCodePointIsOneUnitAndEachOfItsStartsIsIncomplete) {
  for (char32_t code_point = 0; code_point < 0x110000; ++code_point) {
    const bool surrogate = code_point >= 0xD800 && code_point < 0xE000;
    std::string bytes;
    jinja::unicode::append(bytes, code_point);
    const Utf8Unit unit = utf8_unit(bytes + "a");
    ASSERT_EQ(unit.kind == Kind::character, !surrogate) << static_cast<unsigned>(code_point);
    if (surrogate) continue;
    ASSERT_EQ(unit.size, bytes.size()) << static_cast<unsigned>(code_point);
    for (std::size_t size = 1; size < bytes.size(); ++size) {
      const Utf8Unit start = utf8_unit(std::string_view(bytes).substr(0, size));
      ASSERT_EQ(start.kind, Kind::incomplete) << static_cast<unsigned>(code_point);
      ASSERT_EQ(start.size, size) << static_cast<unsigned>(code_point);
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
