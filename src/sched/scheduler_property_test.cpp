// The scheduler under random workloads, with a runner of pure bookkeeping: it holds which token of which sequence was
// written to every KV slot, so a block that is lost, shared or read too early shows.
#include "core/rng.h"
#include "sched/scheduler.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <deque>
#include <map>

namespace ridge {
namespace {

constexpr std::int32_t kVocabulary = 23;
constexpr std::int32_t kStopToken = 0;

// The token of a sequence at a position, were it sampled: depends on nothing else.
std::int32_t token_of(RequestId request, std::int32_t position) {
  PhiloxStream stream(static_cast<std::uint64_t>(request), static_cast<std::uint64_t>(position));
  return static_cast<std::int32_t>(stream.below(kVocabulary));
}

struct Arrival {
  std::int32_t step = 0;  // of the engine, at which it is added
  std::int32_t prompt = 1;
  std::int32_t max_new_tokens = 1;
  std::int32_t cancel_after = -1;  // steps from its arrival; -1: never
};

struct Workload {
  SchedulerOptions options;
  std::vector<Arrival> arrivals;
};

// A request that the pool and the context can hold.
Arrival any_arrival(const SchedulerOptions& options) {
  const std::int32_t most = std::min(options.context, options.blocks * options.block_size);
  Arrival arrival;
  arrival.step = *rc::gen::inRange(0, 30);
  arrival.prompt = *rc::gen::inRange(1, most + 1);
  arrival.max_new_tokens = *rc::gen::inRange(1, most - arrival.prompt + 2);
  arrival.cancel_after = *rc::gen::element(-1, -1, -1, 0, 1, 5);
  return arrival;
}

Workload any_workload() {
  Workload workload;
  SchedulerOptions& options = workload.options;
  options.max_sequences = *rc::gen::inRange(1, 6);
  options.max_tokens_per_step = *rc::gen::inRange(options.max_sequences, 40);
  options.chunk = *rc::gen::inRange(1, 20);
  options.block_size = *rc::gen::inRange(1, 18);
  options.blocks = *rc::gen::inRange(1, 20);
  options.context = *rc::gen::inRange(1, 60);
  const auto count = *rc::gen::inRange(1, 12);
  for (int i = 0; i < count; ++i) workload.arrivals.push_back(any_arrival(options));
  return workload;
}

class BookkeepingRunner {
 public:
  explicit BookkeepingRunner(const SchedulerOptions& options)
      : slots_(static_cast<std::size_t>(options.blocks * options.block_size)),
        last_(static_cast<std::size_t>(options.max_sequences)) {}

  StepResult run(const StepPlan& plan, const SchedulerOptions& options) {
    RC_ASSERT(plan.tokens().size() <= static_cast<std::size_t>(options.max_tokens_per_step));
    write(plan);
    read(plan, options);
    StepResult result;
    std::size_t logit_row = 0;
    for (std::size_t s = 0; s < plan.sequences().size(); ++s) {
      const PlannedSequence& sequence = plan.sequences()[s];
      const SequenceSlice& slice = plan.slices()[s];
      result.tokens.push_back(kNoToken);
      if (sequence.samples == 0) continue;
      RC_ASSERT(plan.logit_rows()[logit_row++] == slice.first_row + slice.rows - 1);
      result.tokens.back() = token_of(sequence.request, slice.context);
      last_[static_cast<std::size_t>(sequence.slot)] = result.tokens.back();
    }
    RC_ASSERT(logit_row == plan.logit_rows().size());
    return result;
  }

  // Rows that were computed of each request, by position.
  std::map<RequestId, std::vector<std::int32_t>> positions;

 private:
  struct Written {
    RequestId request = -1;
    std::int32_t position = -1;
  };

  void write(const StepPlan& plan) {
    std::int32_t row = 0;
    for (std::size_t s = 0; s < plan.sequences().size(); ++s) {
      const PlannedSequence& sequence = plan.sequences()[s];
      RC_ASSERT(plan.slices()[s].first_row == row);
      for (std::int32_t i = 0; i < plan.slices()[s].rows; ++i, ++row) {
        const auto at = static_cast<std::size_t>(row);
        const std::int32_t position = plan.positions()[at];
        const std::int32_t token =
            plan.tokens()[at] == kPreviousSample ? last_[static_cast<std::size_t>(sequence.slot)] : plan.tokens()[at];
        RC_ASSERT(token == token_of(sequence.request, position));
        slots_[static_cast<std::size_t>(plan.slots()[at])] = {sequence.request, position};
        positions[sequence.request].push_back(position);
      }
    }
    RC_ASSERT(static_cast<std::size_t>(row) == plan.tokens().size());
  }

  // Attention would read all of a sequence's positions: they must still be there, under its table.
  void read(const StepPlan& plan, const SchedulerOptions& options) const {
    const PagedView view = plan.paged_view();
    for (std::size_t s = 0; s < view.slices.size(); ++s) {
      for (std::int32_t position = 0; position < view.slices[s].context; ++position) {
        const auto entry = static_cast<std::size_t>(view.slices[s].first_block + position / options.block_size);
        const std::int32_t slot = view.block_table[entry] * options.block_size + position % options.block_size;
        const Written& written = slots_[static_cast<std::size_t>(slot)];
        RC_ASSERT(written.request == plan.sequences()[s].request && written.position == position);
      }
    }
  }

  std::vector<Written> slots_;
  std::vector<std::int32_t> last_;
};

struct Outcome {
  std::map<RequestId, std::vector<std::int32_t>> tokens;
  std::map<RequestId, FinishReason> finish;
  std::vector<RequestId> started;  // in the order of their first row
};

class Simulation {
 public:
  Simulation(const Workload& workload, std::int32_t depth, bool cancels)
      : workload_(workload),
        options_(with_depth(workload.options, depth)),
        cancels_(cancels),
        scheduler_(options_),
        runner_(options_),
        free_plans_(static_cast<std::size_t>(depth), StepPlan(scheduler_.limits())) {}

  Outcome run() {
    // Each step computes a row of some sequence or takes in a result, so the work bounds the number of steps.
    constexpr std::int32_t kMostSteps = 10000;
    for (std::int32_t step = 0; step < 31 || !scheduler_.idle(); ++step) {
      RC_ASSERT(step < kMostSteps);
      arrive(step);
      plan();
      if (!under_way_.empty()) apply();
      check_progress();
      take_events();
    }
    RC_ASSERT(scheduler_.kv().free_blocks() == options_.blocks);
    for (const auto& [request, positions] : runner_.positions) {
      for (std::size_t i = 0; i < positions.size(); ++i) RC_ASSERT(positions[i] == static_cast<std::int32_t>(i));
    }
    return outcome_;
  }

 private:
  static SchedulerOptions with_depth(SchedulerOptions options, std::int32_t depth) {
    options.depth = depth;
    return options;
  }

  void arrive(std::int32_t step) {
    for (std::size_t i = 0; i < workload_.arrivals.size(); ++i) {
      const Arrival& arrival = workload_.arrivals[i];
      // Ids are given in the order of adding: the same at every depth.
      if (arrival.step == step) add(i, arrival);
      const auto id = ids_.find(i);
      if (!cancels_ || arrival.cancel_after < 0 || id == ids_.end()) continue;
      if (step == arrival.step + arrival.cancel_after) scheduler_.cancel(id->second);
    }
  }

  void add(std::size_t index, const Arrival& arrival) {
    const auto id = static_cast<RequestId>(ids_.size());
    std::vector<std::int32_t> prompt;
    for (std::int32_t i = 0; i < arrival.prompt; ++i) prompt.push_back(token_of(id, i));
    const std::int32_t stop[] = {kStopToken};
    ids_[index] = scheduler_.add({prompt, arrival.max_new_tokens, stop, {}});
    RC_ASSERT(ids_[index] == id);
  }

  void plan() {
    while (!free_plans_.empty() && scheduler_.plan(free_plans_.back())) {
      scheduler_.kv().check();
      for (const PlannedSequence& sequence : free_plans_.back().sequences()) {
        auto& started = outcome_.started;
        if (std::find(started.begin(), started.end(), sequence.request) == started.end()) {
          started.push_back(sequence.request);
        }
      }
      under_way_.push_back(std::move(free_plans_.back()));
      free_plans_.pop_back();
    }
  }

  void apply() {
    scheduler_.apply(under_way_.front(), runner_.run(under_way_.front(), options_));
    free_plans_.push_back(std::move(under_way_.front()));
    under_way_.pop_front();
  }

  void check_progress() const {
    for (const auto& [index, id] : ids_) {
      const auto progress = scheduler_.progress(id);
      if (!progress) continue;
      RC_ASSERT(progress->scheduled >= progress->computed && progress->computed >= progress->committed);
      RC_ASSERT(progress->committed >= 0);
    }
  }

  void take_events() {
    for (const TokenEvent& event : scheduler_.take_events()) {
      RC_ASSERT(outcome_.finish.count(event.request) == 0U);
      if (event.token != kNoToken) outcome_.tokens[event.request].push_back(event.token);
      if (event.finish != FinishReason::none) outcome_.finish[event.request] = event.finish;
    }
  }

  const Workload& workload_;
  SchedulerOptions options_;
  bool cancels_;
  Scheduler scheduler_;
  BookkeepingRunner runner_;
  std::vector<StepPlan> free_plans_;
  std::deque<StepPlan> under_way_;
  std::map<std::size_t, RequestId> ids_;
  Outcome outcome_;
};

// What a request must give, from its definition alone.
std::vector<std::int32_t> expected_tokens(RequestId id, const Arrival& arrival, std::int32_t context) {
  std::vector<std::int32_t> tokens;
  for (std::int32_t i = 0; i < arrival.max_new_tokens && arrival.prompt + i <= context; ++i) {
    tokens.push_back(token_of(id, arrival.prompt + i));
    if (tokens.back() == kStopToken) break;
  }
  return tokens;
}

// Arrivals in the order in which they are added.
std::vector<Arrival> by_id(const Workload& workload) {
  std::vector<Arrival> arrivals = workload.arrivals;
  std::stable_sort(arrivals.begin(), arrivals.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
  return arrivals;
}

TEST(SchedulerProperty, GivesEachRequestItsTokensAtEitherDepth) {
  EXPECT_TRUE(rc::check([] {
    const Workload workload = any_workload();
    const std::vector<Arrival> arrivals = by_id(workload);
    for (const std::int32_t depth : {1, 2}) {
      const Outcome outcome = Simulation(workload, depth, false).run();
      RC_ASSERT(outcome.finish.size() == arrivals.size());
      for (std::size_t i = 0; i < arrivals.size(); ++i) {
        const auto id = static_cast<RequestId>(i);
        const auto expected = expected_tokens(id, arrivals[i], workload.options.context);
        RC_ASSERT(outcome.tokens.at(id) == expected);
        RC_ASSERT(outcome.finish.at(id) == (expected.back() == kStopToken ? FinishReason::stop : FinishReason::length));
      }
    }
  }));
}

TEST(SchedulerProperty, StartsRequestsInTheOrderOfArrival) {
  EXPECT_TRUE(rc::check([] {
    const Workload workload = any_workload();
    for (const std::int32_t depth : {1, 2}) {
      const Outcome outcome = Simulation(workload, depth, false).run();
      RC_ASSERT(std::is_sorted(outcome.started.begin(), outcome.started.end()));
      RC_ASSERT(outcome.started.size() == workload.arrivals.size());
    }
  }));
}

TEST(SchedulerProperty, CancelsWithoutHarmToOthers) {
  EXPECT_TRUE(rc::check([] {
    const Workload workload = any_workload();
    const std::vector<Arrival> arrivals = by_id(workload);
    for (const std::int32_t depth : {1, 2}) {
      const Outcome outcome = Simulation(workload, depth, true).run();
      RC_ASSERT(outcome.finish.size() == arrivals.size());
      for (std::size_t i = 0; i < arrivals.size(); ++i) {
        const auto id = static_cast<RequestId>(i);
        const auto expected = expected_tokens(id, arrivals[i], workload.options.context);
        const auto given = outcome.tokens.find(id);
        const auto tokens = given == outcome.tokens.end() ? std::vector<std::int32_t>{} : given->second;
        RC_ASSERT(tokens.size() <= expected.size());
        RC_ASSERT(std::equal(tokens.begin(), tokens.end(), expected.begin()));
        if (outcome.finish.at(id) != FinishReason::cancelled) RC_ASSERT(tokens == expected);
      }
    }
  }));
}

}  // namespace
}  // namespace ridge
