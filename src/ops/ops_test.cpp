// Every operator over its cases, on the CPU path chosen for this process: against its double reference, beside its
// output, and against what a virtual device charges for it.
#include "device/cpu/path.h"
#include "ops/case.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace ridge {
namespace {

constexpr std::size_t kCapacity = std::size_t{2} << 30;
constexpr std::uint8_t kPaint = 0xA5;
constexpr std::int64_t kPaintedBytes = 32 << 20;

template <class Body>
void for_test_cases(Body&& body) {
  for (const OpInfo& op : all_operators()) {
    std::uint64_t seed = 1;
    for (const Case& one : op.cases) {
      if ((one.tags & kTestCase) != 0) body(fmt::format("{} {}", op.name, one.name), one, ++seed);
    }
  }
}

class Operators : public testing::Test {
 protected:
  static void SetUpTestSuite() { fmt::print("CPU path: {}\n", cpu_path_name(cpu_path())); }
};

TEST_F(Operators, AgreeWithTheirReferences) {
  for (const int threads : {1, 3}) {
    const auto device = Device::cpu(threads, kCapacity);
    for_test_cases([&](const std::string& name, const Case& one, std::uint64_t seed) {
      const auto run = one.make(*device, seed, 0);
      run->run(Exec(*device));
      const CheckReport report = run->check();
      EXPECT_TRUE(report.ok()) << name << " threads=" << threads << ": " << report.message;
    });
  }
}

// The pool gives out room in steps of 256 bytes: what lies between an output's end and the next step is nobody's.
TEST_F(Operators, LeaveTheMemoryBesideTheirOutputsAlone) {
  for_test_cases([&](const std::string& name, const Case& one, std::uint64_t seed) {
    const auto device = Device::cpu(2, kCapacity);
    {
      const Tensor room = device->memory().allocate({kPaintedBytes}, DType::i8, MemoryKind::activations);
      std::fill_n(room.data<std::uint8_t>(), kPaintedBytes, kPaint);
    }
    const auto run = one.make(*device, seed, 0);
    run->run(Exec(*device));
    const Tensor y = run->output();
    if (!y.defined()) return;
    const Storage& storage = *y.storage().get();
    const auto* begin = reinterpret_cast<const std::uint8_t*>(storage.data);
    EXPECT_TRUE(std::all_of(begin + y.bytes(), begin + storage.bytes, [](std::uint8_t x) { return x == kPaint; }))
        << name;
  });
}

struct Record {
  std::vector<OpCall> calls;
  std::array<std::size_t, kMemoryKinds> peak_bytes{};
};

class Recorder final : public OpObserver {
 public:
  explicit Recorder(std::vector<OpCall>& calls) : calls_(calls) {}
  void on_op(const OpCall& call, double start, double end) override {
    EXPECT_LE(start, end) << call.op;
    calls_.push_back(call);
  }

 private:
  std::vector<OpCall>& calls_;
};

Record record(Device& device, const Case& one, std::uint64_t seed) {
  Record out;
  const auto run = one.make(device, seed, 0);
  Recorder recorder(out.calls);
  run->run(Exec(device, &recorder));
  for (int kind = 0; kind < kMemoryKinds; ++kind) {
    out.peak_bytes[static_cast<std::size_t>(kind)] = device.memory().use(static_cast<MemoryKind>(kind)).peak_bytes;
  }
  return out;
}

// Where a touched tensor lies in its device's memory; host memory (positions, slots) has no place there.
std::ptrdiff_t place(Device& device, const Touch& touch) {
  const std::ptrdiff_t offset = static_cast<const std::byte*>(touch.key) - device.memory().base();
  return offset >= 0 && offset < static_cast<std::ptrdiff_t>(device.memory().capacity_bytes()) ? offset : -1;
}

void expect_same_work(Device& cpu, const Work& left, Device& paper, const Work& right, const std::string& name) {
  EXPECT_EQ(left.operations, right.operations) << name;
  ASSERT_EQ(left.touch_count, right.touch_count) << name;
  for (std::size_t i = 0; i < static_cast<std::size_t>(left.touch_count); ++i) {
    EXPECT_EQ(left.touches[i].bytes, right.touches[i].bytes) << name << " touch " << i;
    EXPECT_EQ(left.touches[i].write, right.touches[i].write) << name << " touch " << i;
    EXPECT_EQ(place(cpu, left.touches[i]), place(paper, right.touches[i])) << name << " touch " << i;
  }
}

void expect_same_calls(Device& cpu, const Record& executed, Device& paper, const Record& charged,
                       const std::string& name) {
  EXPECT_EQ(executed.peak_bytes, charged.peak_bytes) << name;
  ASSERT_EQ(executed.calls.size(), charged.calls.size()) << name;
  EXPECT_FALSE(executed.calls.empty()) << name;
  for (std::size_t i = 0; i < executed.calls.size(); ++i) {
    const OpCall& left = executed.calls[i];
    const OpCall& right = charged.calls[i];
    EXPECT_STREQ(left.op, right.op) << name;
    EXPECT_EQ(left.dims, right.dims) << name;
    EXPECT_STREQ(left.cost.shape.variant, right.cost.shape.variant) << name;
    EXPECT_EQ(left.cost.shape.rows, right.cost.shape.rows) << name;
    EXPECT_EQ(left.cost.shape.size, right.cost.shape.size) << name;
    expect_same_work(cpu, left.cost.least, paper, right.cost.least, name);
    expect_same_work(cpu, left.cost.actual, paper, right.cost.actual, name);
  }
}

// Also proves that no operator reads a payload on the way to its kernel: on the virtual device that faults.
TEST_F(Operators, AreChargedOnPaperAsTheyAreExecuted) {
  MachineModel machine;
  machine.threads = 3;
  machine.read_curve = machine.copy_curve = {{.footprint_bytes = 1e6, .bytes_per_s = 1e9}};
  machine.operations_per_s.fill(1e9);
  for_test_cases([&](const std::string& name, const Case& one, std::uint64_t seed) {
    const auto cpu = Device::cpu(machine.threads, kCapacity);
    const auto paper = Device::on_paper(machine, kCapacity);
    const Record executed = record(*cpu, one, seed);
    const Record charged = record(*paper, one, seed);
    expect_same_calls(*cpu, executed, *paper, charged, name);
  });
}

}  // namespace
}  // namespace ridge
