#include "sched/scheduler.h"

#include "core/error.h"
#include "support/error_of.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace ridge {
namespace {

using Ints = std::vector<std::int32_t>;

SchedulerOptions small_options() {
  return {.max_sequences = 2, .max_tokens_per_step = 8, .chunk = 4, .block_size = 4, .blocks = 8, .context = 24};
}

// Applies a result in which every sampling sequence gets `token`.
void finish_step(Scheduler& scheduler, const StepPlan& plan, std::int32_t token) {
  StepResult result;
  result.tokens.assign(plan.sequences().size(), token);
  scheduler.apply(plan, result);
}

TEST(Scheduler, CutsAPromptIntoChunksThenDecodes) {
  Scheduler scheduler(small_options());
  StepPlan plan(scheduler.limits());
  scheduler.add({Ints{1, 2, 3, 4, 5, 6}, 2, {}, {}});
  ASSERT_TRUE(scheduler.plan(plan));
  EXPECT_EQ(plan.tokens().size(), 4U);
  EXPECT_TRUE(plan.logit_rows().empty());
  finish_step(scheduler, plan, 0);
  EXPECT_TRUE(scheduler.take_events().empty());
  ASSERT_TRUE(scheduler.plan(plan));
  EXPECT_EQ(plan.tokens().size(), 2U);
  EXPECT_EQ(plan.logit_rows().size(), 1U);
  finish_step(scheduler, plan, 50);
  ASSERT_EQ(scheduler.take_events().size(), 1U);
  ASSERT_TRUE(scheduler.plan(plan));
  EXPECT_EQ(plan.tokens()[0], 50);
  EXPECT_EQ(plan.positions()[0], 6);
  finish_step(scheduler, plan, 51);
  const auto events = scheduler.take_events();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].token, 51);
  EXPECT_EQ(events[0].finish, FinishReason::length);
  EXPECT_TRUE(scheduler.idle());
  EXPECT_EQ(scheduler.kv().free_blocks(), 8);
  EXPECT_FALSE(scheduler.plan(plan));
}

TEST(Scheduler, DecodesBesideAPromptWithinTheBudget) {
  SchedulerOptions options = small_options();
  options.max_tokens_per_step = 3;
  Scheduler scheduler(options);
  StepPlan plan(scheduler.limits());
  scheduler.add({Ints{1}, 5, {}, {}});
  ASSERT_TRUE(scheduler.plan(plan));
  finish_step(scheduler, plan, 7);
  scheduler.add({Ints{1, 2, 3, 4, 5, 6}, 1, {}, {}});
  ASSERT_TRUE(scheduler.plan(plan));
  ASSERT_EQ(plan.slices().size(), 2U);
  EXPECT_EQ(plan.slices()[0].rows, 1);
  EXPECT_EQ(plan.slices()[1].rows, 2);
}

TEST(Scheduler, DepthTwoPlansATokenThatIsNotThereYet) {
  SchedulerOptions options = small_options();
  options.depth = 2;
  Scheduler scheduler(options);
  StepPlan first(scheduler.limits());
  StepPlan second(scheduler.limits());
  const RequestId id = scheduler.add({Ints{1, 2}, 8, Ints{99}, {}});
  ASSERT_TRUE(scheduler.plan(first));
  ASSERT_TRUE(scheduler.plan(second));
  EXPECT_EQ(second.tokens()[0], kPreviousSample);
  EXPECT_THROW(static_cast<void>(scheduler.plan(first)), Error);
  EXPECT_EQ(scheduler.progress(id)->scheduled, 3);
  EXPECT_EQ(scheduler.progress(id)->computed, 0);
  finish_step(scheduler, first, 99);
  // The stop token's own row is under way: it is rolled back, and its blocks stay taken until it has run.
  EXPECT_EQ(scheduler.take_events()[0].finish, FinishReason::stop);
  EXPECT_EQ(scheduler.progress(id)->scheduled, 2);
  EXPECT_LT(scheduler.kv().free_blocks(), 8);
  EXPECT_FALSE(scheduler.plan(first));
  finish_step(scheduler, second, 5);
  EXPECT_TRUE(scheduler.take_events().empty());
  EXPECT_EQ(scheduler.kv().free_blocks(), 8);
  EXPECT_TRUE(scheduler.idle());
}

TEST(Scheduler, NeverPlansBeyondTheLastToken) {
  SchedulerOptions options = small_options();
  options.depth = 2;
  Scheduler scheduler(options);
  StepPlan first(scheduler.limits());
  StepPlan second(scheduler.limits());
  scheduler.add({Ints{1, 2}, 1, {}, {}});
  ASSERT_TRUE(scheduler.plan(first));
  EXPECT_FALSE(scheduler.plan(second));
  finish_step(scheduler, first, 3);
  EXPECT_TRUE(scheduler.idle());
}

TEST(Scheduler, APromptAsLongAsTheContextGivesOneToken) {
  SchedulerOptions options = small_options();
  options.chunk = 24;
  options.max_tokens_per_step = 24;
  Scheduler scheduler(options);
  StepPlan plan(scheduler.limits());
  scheduler.add({Ints(24, 1), 100, {}, {}});
  ASSERT_TRUE(scheduler.plan(plan));
  finish_step(scheduler, plan, 3);
  EXPECT_EQ(scheduler.take_events()[0].finish, FinishReason::length);
}

TEST(Scheduler, NobodyOvertakesTheOldestRequest) {
  Scheduler scheduler(small_options());  // 8 blocks of 4
  StepPlan plan(scheduler.limits());
  const RequestId running = scheduler.add({Ints{1}, 20, {}, {}});  // 5 blocks
  ASSERT_TRUE(scheduler.plan(plan));
  finish_step(scheduler, plan, 3);
  scheduler.add({Ints{1}, 24, {}, {}});                         // 6 blocks: must wait
  const RequestId small = scheduler.add({Ints{1}, 1, {}, {}});  // would fit
  ASSERT_TRUE(scheduler.plan(plan));
  EXPECT_EQ(plan.sequences().size(), 1U);
  EXPECT_EQ(scheduler.waiting(), 2U);
  finish_step(scheduler, plan, 3);
  EXPECT_TRUE(scheduler.cancel(running));
  ASSERT_TRUE(scheduler.plan(plan));
  EXPECT_EQ(plan.sequences().size(), 2U);
  EXPECT_EQ(plan.sequences()[1].request, small);
}

TEST(Scheduler, CancelsWaitingRunningAndPlannedRequests) {
  Scheduler scheduler(small_options());
  StepPlan plan(scheduler.limits());
  const RequestId first = scheduler.add({Ints{1, 2}, 9, {}, {}});
  ASSERT_TRUE(scheduler.plan(plan));
  const RequestId queued = scheduler.add({Ints{1}, 9, {}, {}});
  EXPECT_TRUE(scheduler.cancel(queued));
  EXPECT_TRUE(scheduler.cancel(first));
  EXPECT_FALSE(scheduler.cancel(first));
  EXPECT_FALSE(scheduler.cancel(1234));
  finish_step(scheduler, plan, 4);
  const auto events = scheduler.take_events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].finish, FinishReason::cancelled);
  EXPECT_EQ(events[1].token, kNoToken);
  EXPECT_TRUE(scheduler.idle());
  EXPECT_EQ(scheduler.kv().free_blocks(), 8);
}

TEST(Scheduler, RefusesRequestsThatCanNeverRun) {
  Scheduler scheduler(small_options());
  EXPECT_EQ(error_of([&] {
              scheduler.add({Ints(25, 1), 1, {}, {}});
            }),
            "request: the prompt has 25 tokens, the context holds 24");
  EXPECT_EQ(error_of([&] {
              scheduler.add({{}, 1, {}, {}});
            }),
            "request: the prompt is empty, it must have at least one token");
  EXPECT_EQ(error_of([&] {
              scheduler.add({Ints{1}, 0, {}, {}});
            }),
            "request: max_new_tokens must be at least 1, got 0");
  EXPECT_EQ(error_of([&] {
              scheduler.add({Ints{1, -1}, 1, {}, {}});
            }),
            "request: token ids are not negative, got -1 at position 1");
  SchedulerOptions options = small_options();
  options.blocks = 3;
  Scheduler tight(options);
  EXPECT_EQ(error_of([&] {
              tight.add({Ints(9, 1), 5, {}, {}});
            }),
            "request: 9 prompt and 5 new tokens need 4 KV blocks of 4 tokens, the pool has 3");
  EXPECT_TRUE(scheduler.idle());
}

TEST(Scheduler, RefusesOptionsOutOfRange) {
  const auto with = [](auto change) {
    SchedulerOptions options = small_options();
    change(options);
    return error_of([&] { Scheduler{options}; });
  };
  EXPECT_EQ(with([](auto& o) { o.max_tokens_per_step = 1; }),
            "scheduler: max_tokens_per_step must be at least max_sequences (2), got 1");
  EXPECT_EQ(with([](auto& o) { o.depth = 3; }), "scheduler: depth must be 1 or 2, got 3");
  EXPECT_EQ(with([](auto& o) { o.chunk = 0; }), "scheduler: chunk must be at least 1 token, got 0");
  EXPECT_EQ(with([](auto& o) { o.block_size = 0; }), "scheduler: block_size must be at least 1 token, got 0");
  EXPECT_EQ(with([](auto& o) { o.max_sequences = 0; }), "scheduler: max_sequences must be at least 1, got 0");
}

TEST(Scheduler, RefusesResultsOutOfOrder) {
  SchedulerOptions options = small_options();
  options.depth = 2;
  Scheduler scheduler(options);
  StepPlan first(scheduler.limits());
  StepPlan second(scheduler.limits());
  scheduler.add({Ints{1, 2}, 8, {}, {}});
  ASSERT_TRUE(scheduler.plan(first));
  ASSERT_TRUE(scheduler.plan(second));
  EXPECT_THROW(finish_step(scheduler, second, 1), Error);
  EXPECT_THROW(scheduler.apply(first, StepResult{}), Error);
}

}  // namespace
}  // namespace ridge
