// Every operator against its double reference over its cases, on the CPU path chosen for this process.
#include "device/cpu/path.h"
#include "ops/case.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ridge {
namespace {

class Operators : public testing::Test {
 protected:
  static void SetUpTestSuite() { fmt::print("CPU path: {}\n", cpu_path_name(cpu_path())); }
};

TEST_F(Operators, AgreeWithTheirReferences) {
  for (const int threads : {1, 3}) {
    const auto device = Device::cpu(threads, std::size_t{2} << 30);
    for (const OpInfo& op : all_operators()) {
      std::uint64_t seed = 1;
      for (const Case& one : op.cases) {
        if ((one.tags & kTestCase) == 0) continue;
        const auto run = one.make(*device, ++seed, 0);
        run->run(Exec(*device));
        const CheckReport report = run->check();
        EXPECT_TRUE(report.ok()) << op.name << " " << one.name << " threads=" << threads << ": " << report.message;
      }
    }
  }
}

}  // namespace
}  // namespace ridge
