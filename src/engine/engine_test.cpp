#include "engine/engine.h"

#include "core/error.h"
#include "support/error_of.h"
#include "support/random_model.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

namespace ridge {
namespace {

using Ints = std::vector<std::int32_t>;

std::vector<TokenEvent> run_until_idle(Engine& engine) {
  std::vector<TokenEvent> events;
  while (!engine.idle()) {
    for (const TokenEvent& event : engine.step()) events.push_back(event);
  }
  return events;
}

class EngineTest : public testing::Test {
 protected:
  std::unique_ptr<Device> device_ = Device::cpu(2);
  Exec exec_{*device_};
  Model model_ = random_model(exec_);
};

TEST_F(EngineTest, GivesAsManyTokensAsAskedFor) {
  for (const std::int32_t depth : {1, 2}) {
    Engine engine(exec_, model_, {.depth = depth});
    const RequestId id = engine.add({Ints{1, 2, 3}, 5, {}, {}});
    const auto events = run_until_idle(engine);
    ASSERT_EQ(events.size(), 5U);
    for (const TokenEvent& event : events) {
      EXPECT_EQ(event.request, id);
      EXPECT_GE(event.token, 0);
      EXPECT_LT(event.token, model_.config.vocabulary);
    }
    EXPECT_EQ(events[3].finish, FinishReason::none);
    EXPECT_EQ(events[4].finish, FinishReason::length);
    EXPECT_TRUE(engine.step().empty());
  }
}

TEST_F(EngineTest, EndsAtAStopToken) {
  Engine free_running(exec_, model_, {});
  free_running.add({Ints{1, 2, 3}, 8, {}, {.temperature = 1, .seed = 4}});
  const auto all = run_until_idle(free_running);
  for (const std::int32_t depth : {1, 2}) {
    Engine engine(exec_, model_, {.depth = depth});
    engine.add({Ints{1, 2, 3}, 8, Ints{all[4].token}, {.temperature = 1, .seed = 4}});
    const auto events = run_until_idle(engine);
    ASSERT_LE(events.size(), 5U);
    EXPECT_EQ(events.back().finish, FinishReason::stop);
    EXPECT_EQ(events.back().token, all[4].token);
  }
}

TEST_F(EngineTest, CancelsARequestAndGoesOnWithTheOthers) {
  Engine engine(exec_, model_, {.depth = 2});
  const RequestId first = engine.add({Ints{1, 2, 3}, 50, {}, {}});
  const RequestId second = engine.add({Ints{4, 5}, 6, {}, {}});
  engine.step();
  EXPECT_TRUE(engine.cancel(first));
  std::size_t tokens_of_second = 1;  // the step before gave one
  bool cancelled = false;
  for (const TokenEvent& event : run_until_idle(engine)) {
    if (event.request == first) {
      EXPECT_EQ(event.token, kNoToken);
      EXPECT_EQ(event.finish, FinishReason::cancelled);
      cancelled = true;
    } else {
      EXPECT_EQ(event.request, second);
      ++tokens_of_second;
    }
  }
  EXPECT_TRUE(cancelled);
  EXPECT_EQ(tokens_of_second, 6U);
}

TEST_F(EngineTest, ServesMoreRequestsThanItRunsAtOnce) {
  Engine engine(exec_, model_, {.max_sequences = 2, .kv_tokens = 64});
  for (std::int32_t i = 0; i < 7; ++i) engine.add({Ints{i, i + 1, i + 2}, 4 + i, {}, {}});
  EXPECT_EQ(run_until_idle(engine).size(), 4U + 5 + 6 + 7 + 8 + 9 + 10);
}

TEST_F(EngineTest, RefusesWhatCanNeverRun) {
  Engine engine(exec_, model_, {.kv_tokens = 100});
  EXPECT_EQ(error_of([&] {
              engine.add({Ints(321, 1), 1, {}, {}});
            }),
            "request: the prompt has 321 tokens, the context holds 320");
  EXPECT_EQ(error_of([&] {
              engine.add({Ints{1, 331}, 1, {}, {}});
            }),
            "request: token ids must be in [0, 331), got 331 at position 1");
  EXPECT_EQ(error_of([&] {
              engine.add({Ints{-1}, 1, {}, {}});
            }),
            "request: token ids must be in [0, 331), got -1 at position 0");
  EXPECT_EQ(error_of([&] {
              engine.add({Ints{1}, 1, {}, {.top_p = 2}});
            }),
            "--top-p must be above 0 and at most 1, got 2");
  EXPECT_EQ(error_of([&] {
              engine.add({Ints(100, 1), 20, {}, {}});
            }),
            "request: 100 prompt and 20 new tokens need 8 KV blocks of 16 tokens, the pool has 7");
  EXPECT_TRUE(engine.idle());
}

TEST_F(EngineTest, RefusesOptionsOutOfRange) {
  const auto error = [&](const EngineOptions& options) { return error_of([&] { Engine(exec_, model_, options); }); };
  EXPECT_EQ(error({.context = 321}), "engine: context must be between 1 and the model's 320 tokens, got 321");
  EXPECT_EQ(error({.kv_tokens = -5}), "engine: kv_tokens must be between 1 and 2147483631, got -5");
  EXPECT_EQ(error({.block_size = 0}), "engine: block_size must be at least 1 token, got 0");
  EXPECT_EQ(error({.depth = 3}), "scheduler: depth must be 1 or 2, got 3");
  EXPECT_EQ(error({.kv_dtype = DType::i8}), "kv cache: must be f16 or f32, got i8");
}

TEST_F(EngineTest, ALogitThatIsNotANumberIsAnErrorNotAToken) {
  model_.weights.output_norm.data<float>()[0] = std::numeric_limits<float>::quiet_NaN();
  Engine engine(exec_, model_, {});
  engine.add({Ints{1, 2, 3}, 5, {}, {}});
  EXPECT_EQ(error_of([&] { run_until_idle(engine); }), "sampler: request 0, position 3: the logit of token 0 is nan");
}

TEST(Runner, TakesPlansInOrderAndNoMoreThanItsDepth) {
  const auto device = Device::cpu(1);
  const Exec exec(*device);
  const Model model = random_model(exec);
  Scheduler scheduler({.blocks = 32, .context = 64, .depth = 2});
  ConstantToken outcomes;
  Runner runner(exec, model, {.limits = scheduler.limits(), .blocks = 32, .block_size = 16, .context = 64, .depth = 2},
                outcomes);
  scheduler.add({Ints{1, 2}, 9, {}, {}});
  StepPlan first(scheduler.limits());
  StepPlan second(scheduler.limits());
  ASSERT_TRUE(scheduler.plan(first));
  ASSERT_TRUE(scheduler.plan(second));
  const Ticket ticket = runner.submit(first);
  const Ticket later = runner.submit(second);
  EXPECT_THROW(runner.submit(first), Error);
  EXPECT_THROW(runner.collect(later), Error);
  EXPECT_GE(runner.collect(ticket).tokens.at(0), 0);
  EXPECT_GE(runner.collect(later).tokens.at(0), 0);
  EXPECT_THROW(runner.collect(later), Error);
  EXPECT_THROW(runner.submit(StepPlan({1, 1, 1})), Error);
}

}  // namespace
}  // namespace ridge
