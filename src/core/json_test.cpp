#include "core/json.h"

#include "core/error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ridge {
namespace {

TEST(Json, KeepsTheOrderOfKeys) {
  EXPECT_EQ(parse_json(R"({"b":1,"a":2})", "t").dump(), R"({"b":1,"a":2})");
}

TEST(Json, RefusesDuplicateKeysAndSaysWhich) {
  try {
    parse_json(R"({"a":{"k":1,"k":2}})", "file.json");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "file.json: JSON key \"k\" stands twice in one object");
  }
}

TEST(Json, TheSameKeyInSiblingsIsFine) {
  EXPECT_EQ(parse_json(R"([{"a":1},{"a":2}])", "t").size(), 2U);
}

TEST(Json, RefusesDeepNestingTruncationAndBadUtf8) {
  EXPECT_THROW(parse_json(std::string(100000, '['), "t"), Error);
  EXPECT_THROW(parse_json("{\"a\":", "t"), Error);
  EXPECT_THROW(parse_json("\"\xff\"", "t"), Error);
}

}  // namespace
}  // namespace ridge
