// Predictions, reports and stores on machines made by hand; a little of the real one.
#include "core/error.h"
#include "core/file.h"
#include "lab/bench.h"
#include "lab/calibrate.h"
#include "lab/machine_store.h"
#include "lab/profile.h"
#include "lab/report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>

namespace ridge {
namespace {

MachineModel made_machine() {
  MachineModel machine;
  machine.name = "made up";
  machine.cpu = "a CPU";
  machine.path = "avx2";
  machine.threads = 2;
  machine.memory_bytes = 1e9;
  machine.read_curve = machine.copy_curve = machine.single_read_curve =
      machine.single_copy_curve = {{16384, 100e9}, {8388608, 100e9}, {67108864, 20e9}, {134217728, 20e9}};
  machine.operations_per_s = {100e9, 100e9, 400e9};
  machine.peaks = {{"f32 avx2", 100e9}};
  machine.fork_join_s = 2e-6;
  return machine;
}

OpCall call_of(const void* key, double bytes) {
  OpCall call{"op", {1, 576}, {}};
  call.cost.least.read(key, bytes);
  call.cost.shape = {"op/x", 1, 1};
  return call;
}

TEST(OpTable, SumsCallsAndForgetsRowsButNotCaches) {
  const MachineModel machine = made_machine();
  OpTable table(machine, true);
  const int key = 0;
  table.on_op(call_of(&key, 1e6), 0, 1e-3);  // the first use comes from memory: 50 us
  table.restart();
  table.on_op(call_of(&key, 1e6), 1, 1.002);  // the second from the cache: 10 us
  table.on_op(call_of(&key, 1e6), 2, 2.003);
  const std::vector<OpRow> rows = table.rows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].variant, "op/x");
  EXPECT_EQ(rows[0].calls, 2);
  EXPECT_NEAR(rows[0].measured_s, 5e-3, 1e-12);
  EXPECT_NEAR(rows[0].bound_s, 20e-6, 1e-12);
  EXPECT_NEAR(table.least().bound_s(), 20e-6, 1e-12);
  EXPECT_FALSE(rows[0].calibrated);
  EXPECT_EQ(table.bytes(), 2e6);
  ASSERT_EQ(table.spans().size(), 2U);
  EXPECT_EQ(table.spans()[0].name, "op 1x576");
}

TEST(Footprints, FollowTheCurve) {
  const MachineModel machine = made_machine();
  EXPECT_EQ(cache_footprint(machine), 8388608);
  EXPECT_EQ(memory_footprint(machine), 134217728);
}

TEST(Ceilings, RiseToWhatWasSeenAndNeverFall) {
  MachineModel machine = made_machine();
  EXPECT_FALSE(raise_ceilings(machine, {10e9, 300e9}, 134217728));
  EXPECT_TRUE(raise_ceilings(machine, {25e9, 500e9}, 134217728));
  EXPECT_DOUBLE_EQ(machine.read_rate(134217728), 25e9);
  EXPECT_DOUBLE_EQ(machine.read_rate(67108864), 25e9);
  EXPECT_DOUBLE_EQ(machine.read_rate(16384), 100e9);
  EXPECT_DOUBLE_EQ(machine.operations_per_s[2], 500e9);
  MachineModel again = made_machine();
  again.read_curve[0].bytes_per_s = 120e9;
  keep_best(again, machine);
  EXPECT_DOUBLE_EQ(again.read_rate(16384), 120e9);
  EXPECT_DOUBLE_EQ(again.read_rate(134217728), 25e9);
  EXPECT_DOUBLE_EQ(again.operations_per_s[2], 500e9);
}

TEST(RateShares, AreAtMostOne) {
  const MachineModel machine = made_machine();
  const RateNow now = shares(machine, {10e9, 800e9}, 134217728);
  EXPECT_DOUBLE_EQ(now.memory, 0.5);
  EXPECT_DOUBLE_EQ(now.arithmetic, 1);
}

TEST(MachineStore, KeepsAndExplains) {
  const std::string path = testing::TempDir() + "ridge_machine_store/deep/machine.json";
  const MachineModel machine = made_machine();
  save_machine(machine, path);
  EXPECT_EQ(read_machine(path).to_json(), machine.to_json());
  write_file_atomically(path, "{\"schema\": \"ridge.machine\"}");
  EXPECT_THROW((void)read_machine(path), Error);
}

TEST(MachineStore, NamesCpuPathAndThreads) {
  EXPECT_NE(machine_file(1), machine_file(2));
  EXPECT_EQ(machine_file(2), machine_file(2));
}

TEST(LeaveOneOut, IsExactOnAPlane) {
  MachineModel machine = made_machine();
  for (const double rows : {1.0, 2.0, 4.0, 8.0, 16.0}) {
    machine.efficiencies["x"].push_back({rows, 1, 16384, 0.02 * rows});
  }
  const std::vector<double> errors = leave_one_out_errors(machine, "x");
  ASSERT_EQ(errors.size(), 5U);
  for (std::size_t i = 1; i + 1 < errors.size(); ++i) EXPECT_LT(errors[i], 0.02);
  EXPECT_TRUE(leave_one_out_errors(machine, "unknown").empty());
}

TEST(TextTable, TextMarkdownAndCsv) {
  TextTable table({"name", "value"});
  table.add({"a", "1.5"});
  table.add({"longer, \"b\"", "22.5"});
  EXPECT_EQ(table.text(),
            "name         value\n"
            "a              1.5\n"
            "longer, \"b\"   22.5\n");
  EXPECT_EQ(table.text(TableStyle::markdown),
            "| name        | value |\n"
            "| ----------- | ----: |\n"
            "| a           |   1.5 |\n"
            "| longer, \"b\" |  22.5 |\n");
  EXPECT_EQ(table.text(TableStyle::csv), "name,value\na,1.5\n\"longer, \"\"b\"\"\",22.5\n");
  EXPECT_THROW(table.add({"one"}), Error);
}

Bench made_bench(double speed) {
  BenchRow row;
  row.phase = {.decode = true, .tokens = 128, .batch = 1, .depth = 0};
  row.tokens_per_s = {speed, speed * 1.01, speed * 0.99};
  row.measured = summarize(row.tokens_per_s);
  row.expected_tokens_per_s = 100;
  row.bound_tokens_per_s = 150;
  return {"made up", "model", 2, {row}, false};
}

TEST(BenchReport, JsonHasTheFieldsOfTheIssue) {
  const Json json = to_json(made_bench(120));
  const Json& row = json["results"][0];
  EXPECT_EQ(row["phase"], "decode");
  EXPECT_EQ(row["batch"], 1);
  EXPECT_EQ(row["tokens"], 128);
  EXPECT_EQ(row["measured_tokens_per_s"], 120);
  EXPECT_EQ(row["expected_tokens_per_s"], 100);
  EXPECT_EQ(row["bound_tokens_per_s"], 150);
}

TEST(BenchReport, SaysWhenABoundIsBeaten) {
  EXPECT_EQ(to_text(made_bench(120), TableStyle::text).find("beats its bound"), std::string::npos);
  EXPECT_NE(to_text(made_bench(160), TableStyle::text).find("beats its bound"), std::string::npos);
}

TEST(BenchReport, ComparesWithAnEarlierDocument) {
  const Json earlier = to_json(made_bench(120));
  EXPECT_NE(compare(made_bench(121), earlier, "old.json", TableStyle::text).find("same"), std::string::npos);
  EXPECT_NE(compare(made_bench(140), earlier, "old.json", TableStyle::text).find("faster"), std::string::npos);
  EXPECT_NE(compare(made_bench(90), earlier, "old.json", TableStyle::text).find("slower"), std::string::npos);
  for (const char* hostile : {"[]", "{}", "{\"results\": 3}", "{\"results\": [3]}", "{\"results\": [{\"phase\": 1}]}",
                              "{\"results\": [{\"phase\": \"decode\", \"batch\": -1}]}",
                              "{\"results\": [{\"phase\": \"decode\", \"batch\": 1, \"tokens\": \"x\"}]}"}) {
    EXPECT_THROW((void)compare(made_bench(120), parse_json(hostile, "old.json"), "old.json", TableStyle::text), Error)
        << hostile;
  }
}

TEST(Interference, IsAShare) {
  const Interference interference;
  EXPECT_GE(interference.others(), 0);
  EXPECT_LE(interference.others(), 1);
}

TEST(Calibration, MeasuresARealOperator) {
  const auto device = Device::cpu(2, std::size_t{1} << 30);
  MachineModel machine = made_machine();
  std::vector<OpInfo> operators = all_operators();
  std::erase_if(operators, [](const OpInfo& info) { return std::string_view(info.name) != "rms_norm"; });
  ASSERT_EQ(operators.size(), 1U);
  calibrate(machine, *device, operators, {.budget_s = 0.05, .progress = nullptr});
  ASSERT_TRUE(machine.efficiencies.contains("rms_norm"));
  for (const EfficiencyPoint& point : machine.efficiencies.at("rms_norm")) {
    EXPECT_GT(point.efficiency, 0);
    EXPECT_LE(point.efficiency, 1.25);
  }
  calibrate_host(machine);
  EXPECT_GT(machine.host_step_s, 0);
  EXPECT_GT(machine.host_token_s, 0);
  EXPECT_NO_THROW((void)MachineModel::from_json(machine.to_json(), "measured"));
}

}  // namespace
}  // namespace ridge
