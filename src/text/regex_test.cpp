#include "text/regex.h"

#include <gtest/gtest.h>

#include <string>

#include "core/error.h"

namespace ridge {
namespace {

TEST(Regex, FindsTheNextMatchThatIsNotEmpty) {
  const Regex regex("a*");
  Regex::Scratch scratch;
  const auto match = regex.find("bbaab", 0, scratch);
  ASSERT_TRUE(match);
  EXPECT_EQ(match->begin, 2U);
  EXPECT_EQ(match->end, 4U);
  EXPECT_FALSE(regex.find("bbaab", 4, scratch));
  EXPECT_FALSE(regex.find("", 0, scratch));
}

TEST(Regex, AMistakeIsAnErrorWithItsPlace) {
  try {
    const Regex regex("ab[cd");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("at byte 5 of \"ab[cd\""), std::string::npos) << error.what();
  }
}

TEST(Regex, ASearchWithoutEndIsAnError) {
  const Regex regex("(?:a+)+[bd]");
  Regex::Scratch scratch;
  EXPECT_THROW((void)regex.find(std::string(4000, 'a') + "c", 0, scratch), Error);
  EXPECT_TRUE(regex.find("aab", 0, scratch));
}

}  // namespace
}  // namespace ridge
