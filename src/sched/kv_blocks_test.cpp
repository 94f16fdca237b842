#include "sched/kv_blocks.h"

#include "core/error.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <set>

namespace ridge {
namespace {

TEST(KvBlocks, GrowsATableByWholeBlocks) {
  KvBlocks kv(10, 16, 2, 8);
  EXPECT_TRUE(kv.reserve(0, 1));
  EXPECT_EQ(kv.table(0).size(), 1U);
  EXPECT_TRUE(kv.reserve(0, 16));
  EXPECT_EQ(kv.table(0).size(), 1U);
  EXPECT_TRUE(kv.reserve(0, 17));
  EXPECT_EQ(kv.table(0).size(), 2U);
  EXPECT_EQ(kv.free_blocks(), 8);
  kv.check();
}

TEST(KvBlocks, ChangesNothingWhenThePoolIsShort) {
  KvBlocks kv(4, 1, 2, 4);
  EXPECT_TRUE(kv.reserve(0, 3));
  EXPECT_FALSE(kv.reserve(1, 2));
  EXPECT_TRUE(kv.table(1).empty());
  EXPECT_EQ(kv.free_blocks(), 1);
  kv.release(0);
  EXPECT_TRUE(kv.reserve(1, 4));
  kv.check();
}

TEST(KvBlocks, GivesTheSameBlocksAgainInTheSameOrder) {
  KvBlocks kv(8, 4, 1, 8);
  ASSERT_TRUE(kv.reserve(0, 12));
  const std::vector<std::int32_t> first(kv.table(0).begin(), kv.table(0).end());
  kv.release(0);
  ASSERT_TRUE(kv.reserve(0, 12));
  EXPECT_TRUE(std::equal(first.begin(), first.end(), kv.table(0).begin()));
}

TEST(KvBlocks, RefusesSizesThatAStepCannotName) {
  EXPECT_THROW(KvBlocks(0, 16, 1, 1), Error);
  EXPECT_THROW(KvBlocks(1, 0, 1, 1), Error);
  EXPECT_THROW(KvBlocks(std::numeric_limits<std::int32_t>::max(), 2, 1, 1), Error);
  KvBlocks kv(8, 4, 1, 2);
  EXPECT_THROW(static_cast<void>(kv.reserve(0, 9)), Error);
  EXPECT_EQ(kv.blocks_for(std::numeric_limits<std::int32_t>::max()), 536870912);
}

TEST(KvBlocks, LosesAndSharesNoBlockUnderAnyUse) {
  EXPECT_TRUE(rc::check([] {
    const auto blocks = *rc::gen::inRange(1, 40);
    const auto block_size = *rc::gen::inRange(1, 20);
    constexpr std::int32_t kSequences = 5;
    KvBlocks kv(blocks, block_size, kSequences, blocks);
    for (const auto& [sequence, tokens] : *rc::gen::container<std::vector<std::pair<int, int>>>(
             rc::gen::pair(rc::gen::inRange(0, kSequences), rc::gen::inRange(0, 200)))) {
      if (tokens == 0) {
        kv.release(sequence);
      } else if (kv.blocks_for(tokens) <= blocks) {
        const auto held = static_cast<std::int32_t>(kv.table(sequence).size());
        const std::int32_t wanted = std::max(held, kv.blocks_for(tokens));
        const bool enough = wanted - held <= kv.free_blocks();
        RC_ASSERT(kv.reserve(sequence, tokens) == enough);
        RC_ASSERT(kv.table(sequence).size() == static_cast<std::size_t>(enough ? wanted : held));
      }
      kv.check();
    }
  }));
}

}  // namespace
}  // namespace ridge
