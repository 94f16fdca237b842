#include "text/stop_strings.h"

#include "core/error.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(StopStrings, HoldsBackWhatMayBecomeAStop) {
  StopStrings stops({"END", "\n\n"});
  EXPECT_EQ(stops.push("one E"), "one ");
  EXPECT_EQ(stops.push("N"), "");
  EXPECT_EQ(stops.push("ter\n"), "ENter");
  EXPECT_EQ(stops.push("x"), "\nx");
  EXPECT_EQ(stops.push("yEN"), "y");
  EXPECT_EQ(stops.push("D and more"), "");
  EXPECT_TRUE(stops.stopped());
  EXPECT_EQ(stops.push("nothing"), "");
  EXPECT_EQ(stops.finish(), "");
}

TEST(StopStrings, TheEarliestWins) {
  StopStrings stops({"cd", "bc"});
  EXPECT_EQ(stops.push("abcd"), "a");
  EXPECT_TRUE(stops.stopped());
}

TEST(StopStrings, GivesBackWhatWasHeldAtTheEnd) {
  StopStrings stops({"###"});
  EXPECT_EQ(stops.push("a##"), "a");
  EXPECT_FALSE(stops.stopped());
  EXPECT_EQ(stops.finish(), "##");
}

TEST(StopStrings, WithoutStopsAllPasses) {
  StopStrings none({});
  EXPECT_EQ(none.push("text"), "text");
}

TEST(StopStrings, RefusesAnEmptyOne) {
  EXPECT_THROW(StopStrings({""}), Error);
}

}  // namespace
}  // namespace ridge
