// What is charged on the virtual device is what is executed on the CPU: the same steps, operators, sizes, costs,
// operands and memory.
#include "engine/engine.h"
#include "support/random_model.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

namespace ridge {
namespace {

using Ints = std::vector<std::int32_t>;

// An operator call with its operands as offsets into the device's memory.
struct TracedCall {
  std::string op;
  std::array<std::int64_t, 4> dims{};
  std::string variant;
  double rows = 0;
  double size = 0;
  std::vector<double> numbers;        // of least and actual work
  std::vector<std::int64_t> offsets;  // of what is touched; -1: not in the pool

  friend bool operator==(const TracedCall&, const TracedCall&) = default;
};

class Trace final : public OpObserver {
 public:
  explicit Trace(Device& device) : device_(device) {}

  void on_op(const OpCall& call, double start, double end) override {
    EXPECT_LE(start, end);
    TracedCall traced{call.op, call.dims, call.cost.shape.variant, call.cost.shape.rows, call.cost.shape.size, {}, {}};
    for (const Work* work : {&call.cost.least, &call.cost.actual}) {
      for (int i = 0; i < work->touch_count; ++i) {
        const Touch& touch = work->touches[static_cast<std::size_t>(i)];
        traced.offsets.push_back(offset_of(touch.key));
        traced.numbers.push_back(touch.bytes);
        traced.numbers.push_back(touch.write ? 1 : 0);
      }
      for (const double operations : work->operations) traced.numbers.push_back(operations);
    }
    calls.push_back(std::move(traced));
  }

  std::vector<TracedCall> calls;

 private:
  [[nodiscard]] std::int64_t offset_of(const void* key) const {
    const auto address = reinterpret_cast<std::uintptr_t>(key);
    const auto base = reinterpret_cast<std::uintptr_t>(device_.memory().base());
    if (address < base || address >= base + device_.memory().capacity_bytes()) return -1;
    return static_cast<std::int64_t>(address - base);
  }

  Device& device_;
};

// The tokens of an earlier run.
class GivenTokens final : public Outcomes {
 public:
  std::int32_t token(const PlannedSequence& sequence, std::int32_t position) override {
    return tokens.at({sequence.request, position});
  }

  std::map<std::pair<RequestId, std::int32_t>, std::int32_t> tokens;
};

MachineModel made_machine() {
  MachineModel machine;
  machine.name = "made up";
  machine.threads = 2;
  machine.read_curve = {{1e6, 50e9}, {1e8, 10e9}};
  machine.operations_per_s = {1e11, 1e11, 1e12};
  machine.host_step_s = 0.25;
  machine.host_token_s = 0.0625;
  return machine;
}

struct RunRecord {
  std::vector<std::size_t> calls_by_step;
  std::vector<std::tuple<RequestId, std::int32_t, FinishReason>> events;
  std::map<RequestId, std::int32_t> lengths;
};

// Prompts of several chunks beside decoding, a request that comes late, a stop, a cancel.
RunRecord mixed_schedule(Engine& engine, const Trace& trace, std::int32_t stop_token) {
  RunRecord record;
  const auto add = [&](const Ints& prompt, std::int32_t max_new, const Ints& stop, const SamplingParams& sampling) {
    const RequestId id = engine.add({prompt, max_new, stop, sampling});
    record.lengths[id] = static_cast<std::int32_t>(prompt.size());
    return id;
  };
  const RequestId first = add(Ints(40, 5), 30, {}, {});
  add(Ints(3, 6), 20, {stop_token}, {.temperature = 1, .seed = 5});
  for (int step = 0; step < 200 && !engine.idle(); ++step) {
    if (step == 3) add(Ints(150, 7), 8, {}, {.temperature = 1, .top_k = 20, .seed = 6});
    if (step == 20) engine.cancel(first);
    const std::size_t before = trace.calls.size();
    for (const TokenEvent& event : engine.step()) {
      record.events.emplace_back(event.request, event.token, event.finish);
    }
    record.calls_by_step.push_back(trace.calls.size() - before);
  }
  return record;
}

void expect_same_memory(Device& cpu, Device& paper) {
  for (int i = 0; i < kMemoryKinds; ++i) {
    const auto kind = static_cast<MemoryKind>(i);
    EXPECT_EQ(cpu.memory().use(kind).peak_bytes, paper.memory().use(kind).peak_bytes) << memory_kind_name(kind);
  }
  EXPECT_EQ(cpu.memory().total().peak_bytes, paper.memory().total().peak_bytes);
}

TEST(Trace, ChargedOnPaperIsExecutedOnTheCpu) {
  for (const std::int32_t depth : {1, 2}) {
    const EngineOptions options{.max_sequences = 3, .max_tokens_per_step = 24, .chunk = 16, .depth = depth};
    const auto cpu = Device::cpu(2);
    const auto paper = Device::on_paper(made_machine());
    Trace executed(*cpu);
    Trace charged(*paper);
    const Exec on_cpu(*cpu, &executed);
    const Exec on_paper(*paper, &charged);
    constexpr std::int32_t kStop = 11;

    const Model model = random_model(on_cpu);
    Engine real(on_cpu, model, options);
    const RunRecord real_run = mixed_schedule(real, executed, kStop);

    GivenTokens given;
    std::map<RequestId, std::int32_t> position = real_run.lengths;
    for (const auto& [request, token, finish] : real_run.events) {
      if (token != kNoToken) given.tokens[{request, position[request]++}] = token;
    }
    // What a row behind an end gives is dropped; any token does.
    for (const auto& [request, end] : position) given.tokens[{request, end}] = 0;
    const Model plan = random_model(on_paper);
    Engine predicted(on_paper, plan, options, given);
    const RunRecord paper_run = mixed_schedule(predicted, charged, kStop);

    EXPECT_EQ(paper_run.events, real_run.events);
    EXPECT_EQ(paper_run.calls_by_step, real_run.calls_by_step);
    ASSERT_EQ(charged.calls.size(), executed.calls.size());
    EXPECT_GT(charged.calls.size(), 100U);
    for (std::size_t i = 0; i < charged.calls.size(); ++i) {
      ASSERT_EQ(charged.calls[i], executed.calls[i]) << "call " << i << ", " << executed.calls[i].op;
    }
    expect_same_memory(*cpu, *paper);
  }
}

TEST(Trace, TheHostsShareOfAStepIsCharged) {
  MachineModel machine = made_machine();
  machine.read_curve = {{1e6, 1e30}};
  machine.operations_per_s = {1e30, 1e30, 1e30};
  const auto paper = Device::on_paper(machine);
  const Exec exec(*paper);
  const Model model = random_model(exec);
  Engine engine(exec, model, {});
  engine.add({Ints(4, 1), 3, {}, {}});
  engine.add({Ints(4, 1), 2, {}, {}});
  const double start = paper->now();
  while (!engine.idle()) engine.step();
  EXPECT_NEAR(paper->now() - start, 3 * 0.25 + 5 * 0.0625, 1e-6);  // 3 steps, 5 tokens
}

}  // namespace
}  // namespace ridge
