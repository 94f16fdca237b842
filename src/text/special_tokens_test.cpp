#include "text/special_tokens.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace ridge {
namespace {

// The matches as "begin-end:id".
std::string matches(const SpecialTokens& specials, std::string_view text) {
  std::string all;
  auto match = specials.find(text, 0);
  while (match) {
    all += std::to_string(match->begin) + "-" + std::to_string(match->end) + ":" + std::to_string(match->id) + " ";
    match = specials.find(text, match->end);
  }
  return all;
}

TEST(SpecialTokens, TheLeftmostAndThenTheLongestIsFound) {
  const SpecialTokens specials({{"<a>", 1}, {"<a>b", 2}, {"<a>bcd", 3}, {"b", 4}, {"\xFFz", 5}});
  EXPECT_EQ(matches(specials, ""), "");
  EXPECT_EQ(matches(specials, "no <a or a>"), "");
  EXPECT_EQ(matches(specials, "<a>"), "0-3:1 ");
  EXPECT_EQ(matches(specials, "<a>bc"), "0-4:2 ");
  EXPECT_EQ(matches(specials, "x<a>bcde"), "1-7:3 ");
  EXPECT_EQ(matches(specials, "<<a>bcd<a>bb<a>"), "1-7:3 7-11:2 11-12:4 12-15:1 ");
  EXPECT_EQ(matches(specials, "\xFF\xFFz"), "1-3:5 ");
}

TEST(SpecialTokens, NulIsAByteLikeAnyOther) {
  using namespace std::string_view_literals;
  const SpecialTokens specials({{"<a>"sv, 1}, {"<a>\0"sv, 2}});
  EXPECT_EQ(matches(specials, "<a>\0<a>b"sv), "0-4:2 4-7:1 ");
}

TEST(SpecialTokens, NoneIsFoundInAnEmptySet) {
  EXPECT_EQ(matches(SpecialTokens({}), "abc"), "");
}

}  // namespace
}  // namespace ridge
