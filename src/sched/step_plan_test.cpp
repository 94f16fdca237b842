#include "sched/step_plan.h"

#include "core/error.h"

#include <gtest/gtest.h>

#include <limits>

namespace ridge {
namespace {

using Ints = std::vector<std::int32_t>;

Ints ints(std::span<const std::int32_t> values) {
  return {values.begin(), values.end()};
}

TEST(StepPlan, LaysOutRowsSlicesAndTables) {
  StepPlan plan({3, 16, 8});
  plan.begin(7, 4);
  plan.append({11, 2, 1, {}}, 5, Ints{kPreviousSample}, Ints{6, 3, 9});
  plan.append({12, 0, 0, {}}, 2, Ints{40, 41, 42}, Ints{1, 2});
  EXPECT_EQ(plan.header().step, 7);
  EXPECT_EQ(ints(plan.tokens()), (Ints{kPreviousSample, 40, 41, 42}));
  EXPECT_EQ(ints(plan.positions()), (Ints{5, 2, 3, 4}));
  EXPECT_EQ(ints(plan.slots()), (Ints{3 * 4 + 1, 1 * 4 + 2, 1 * 4 + 3, 2 * 4}));
  EXPECT_EQ(ints(plan.logit_rows()), (Ints{0}));
  ASSERT_EQ(plan.slices().size(), 2U);
  EXPECT_EQ(plan.slices()[1].first_row, 1);
  EXPECT_EQ(plan.slices()[1].rows, 3);
  EXPECT_EQ(plan.slices()[1].context, 5);
  EXPECT_EQ(plan.slices()[1].first_block, 2);
  // Block 9 is reserved for later tokens: the step does not read it.
  EXPECT_EQ(ints(plan.paged_view().block_table), (Ints{6, 3, 1, 2}));
  EXPECT_EQ(plan.sequences()[0].slot, 2);
}

TEST(StepPlan, EqualStepsHaveEqualBytesWhateverStoodThereBefore) {
  StepPlan fresh({2, 8, 4});
  StepPlan used({2, 8, 4});
  used.begin(1, 2);
  used.append({1, 0, 1, {0.5F, 3, 0.9F, 0.1F, 1.1F, 4, 99}}, 0, Ints{1, 2, 3, 4, 5}, Ints{0, 1, 2});
  for (StepPlan* plan : {&fresh, &used}) {
    plan->begin(2, 2);
    plan->append({1, 0, 1, {}}, 0, Ints{9}, Ints{3});
  }
  EXPECT_EQ(fresh, used);
  EXPECT_EQ(fresh.hash(), used.hash());
  used.begin(2, 2);
  used.append({1, 0, 1, {}}, 0, Ints{8}, Ints{3});
  EXPECT_FALSE(fresh == used);
  EXPECT_NE(fresh.hash(), used.hash());
}

TEST(StepPlan, ACopyOfTheBytesIsThePlan) {
  StepPlan plan({2, 8, 4});
  plan.begin(0, 2);
  plan.append({1, 1, 1, {}}, 0, Ints{5, 6}, Ints{3});
  StepPlan other({2, 8, 4});
  const std::byte* storage = other.bytes().data();
  other = plan;
  EXPECT_EQ(other.bytes().data(), storage) << "an assignment between equal limits allocates nothing";
  EXPECT_EQ(ints(other.tokens()), (Ints{5, 6}));
  EXPECT_EQ(other, plan);
}

TEST(StepPlan, RefusesWhatDoesNotFit) {
  StepPlan plan({1, 4, 2});
  plan.begin(0, 2);
  EXPECT_THROW(plan.append({}, 0, Ints{}, Ints{0}), Error);
  EXPECT_THROW(plan.append({}, 0, Ints{1, 2, 3}, Ints{0}), Error);
  plan.append({}, 0, Ints{1, 2, 3, 4}, Ints{0, 1});
  EXPECT_THROW(plan.append({}, 0, Ints{1}, Ints{0}), Error);
  EXPECT_THROW(StepPlan({0, 4, 2}), Error);
  EXPECT_THROW(StepPlan({1, std::numeric_limits<std::int32_t>::max(), 2}), Error);
}

}  // namespace
}  // namespace ridge
