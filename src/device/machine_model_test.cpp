#include "device/machine_model.h"

#include "core/error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <functional>

namespace ridge {
namespace {

MachineModel made_machine() {
  MachineModel machine;
  machine.name = "made up";
  machine.cpu = "a CPU";
  machine.features = {"avx2"};
  machine.path = "avx2";
  machine.threads = 2;
  machine.memory_bytes = 1e9;
  machine.read_curve = {{1024, 100e9}, {4096, 100e9}, {65536, 25e9}};
  machine.copy_curve = {{1024, 80e9}};
  machine.single_read_curve = {{1024, 60e9}};
  machine.single_copy_curve = {{1024, 50e9}};
  machine.operations_per_s = {100e9, 200e9, 400e9};
  machine.peaks = {{"f32 avx2", 100e9}};
  machine.fork_join_s = 2e-6;
  machine.efficiencies["linear/f32"] = {{1, 1024, 4096, 0.5}, {16, 1024, 4096, 0.25}};
  return machine;
}

std::string refusal(const Json& json) {
  try {
    (void)MachineModel::from_json(json, "m.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MachineModel, ReadRateFollowsTheCurve) {
  const MachineModel machine = made_machine();
  EXPECT_DOUBLE_EQ(machine.read_rate(1), 100e9);
  EXPECT_DOUBLE_EQ(machine.read_rate(0), 100e9);
  EXPECT_DOUBLE_EQ(machine.read_rate(2048), 100e9);
  EXPECT_NEAR(machine.read_rate(16384), 50e9, 1);  // half way between 4 KiB and 64 KiB in the logarithm
  EXPECT_DOUBLE_EQ(machine.read_rate(65536), 25e9);
  EXPECT_DOUBLE_EQ(machine.read_rate(INFINITY), 25e9);
}

TEST(MachineModel, PresentRateSlowsMemoryAndNotCaches) {
  MachineModel machine = made_machine();
  machine.now.memory = 0.5;
  EXPECT_DOUBLE_EQ(machine.read_rate_now(1024), 100e9);
  EXPECT_DOUBLE_EQ(machine.read_rate_now(1e9), 12.5e9);
  // At 50e9 a third of the bytes come from memory: 1/3 of 1/25e9 more per byte.
  EXPECT_NEAR(machine.read_rate_now(16384), 1 / (1 / 50e9 + 1 / 75e9), 1);
  EXPECT_DOUBLE_EQ(machine.read_rate(1e9), 25e9);
}

TEST(MachineModel, EfficiencyPassesThroughItsPointsAndIsStraightBetween) {
  MachineModel machine = made_machine();
  EXPECT_NEAR(*machine.efficiency({"linear/f32", 1, 1024}, 4096), 0.5, 1e-6);
  EXPECT_NEAR(*machine.efficiency({"linear/f32", 16, 1024}, 4096), 0.25, 1e-6);
  EXPECT_NEAR(*machine.efficiency({"linear/f32", 4, 1024}, 4096), std::sqrt(0.125), 1e-3);
  machine.efficiencies["x"] = {{1, 1, 4096, 0.8}, {4, 1, 4096, 0.4}, {16, 1, 4096, 0.2}, {64, 1, 4096, 0.1}};
  EXPECT_NEAR(*machine.efficiency({"x", 6, 1}, 4096), 0.8 / std::sqrt(6), 0.02);
}

TEST(MachineModel, EfficiencyIsFlatOutsideAndUnknownWithoutMeasurement) {
  const MachineModel machine = made_machine();
  EXPECT_NEAR(*machine.efficiency({"linear/f32", 4096, 1e9}, 1e15), 0.25, 1e-6);
  EXPECT_NEAR(*machine.efficiency({"linear/f32", 0, 0}, 0), 0.5, 1e-6);
  EXPECT_FALSE(machine.efficiency({"linear/q4_0", 1, 1024}, 4096).has_value());
}

TEST(MachineModel, EfficiencyGoesByTheRateOfTheFootprint) {
  MachineModel machine = made_machine();
  machine.efficiencies["x"] = {{1, 1, 1024, 0.2}, {1, 1, 65536, 0.8}};
  EXPECT_NEAR(*machine.efficiency({"x", 1, 1}, 4096), 0.2, 1e-6);  // as fast as 1 KiB
  EXPECT_NEAR(*machine.efficiency({"x", 1, 1}, 16384), 0.4, 1e-3);
  EXPECT_NEAR(*machine.efficiency({"x", 1, 1}, 1e12), 0.8, 1e-6);
}

TEST(MachineModel, JsonRoundTrip) {
  const MachineModel machine = made_machine();
  const Json json = machine.to_json();
  const MachineModel again = MachineModel::from_json(parse_json(json.dump(), "text"), "m.json");
  EXPECT_EQ(again.to_json(), json);
  EXPECT_EQ(again.operations_per_s, machine.operations_per_s);
  EXPECT_EQ(again.efficiencies.at("linear/f32").size(), 2);
}

TEST(MachineModel, HostileJsonIsNamed) {
  const auto with = [](const std::function<void(Json&)>& spoil) {
    Json json = made_machine().to_json();
    spoil(json);
    return refusal(json);
  };
  EXPECT_EQ(with([](Json& j) { j["version"] = 2; }), "m.json: version must be 1, got 2");
  EXPECT_EQ(with([](Json& j) { j["schema"] = "x"; }), "m.json: schema must be ridge.machine, got x");
  EXPECT_EQ(with([](Json& j) { j.erase("fork_join_s"); }), "m.json: fork_join_s is missing");
  EXPECT_EQ(with([](Json& j) { j["extra"] = 1; }), "m.json: unknown field \"extra\"");
  EXPECT_EQ(with([](Json& j) { j["threads"] = 0; }), "m.json: threads must be a number in [1, 65536], got 0");
  EXPECT_EQ(with([](Json& j) { j["threads"] = 1.5; }), "m.json: threads must be a whole number, got 1.5");
  EXPECT_EQ(with([](Json& j) { j["threads"] = "2"; }), "m.json: threads must be a number in [1, 65536], got \"2\"");
  EXPECT_EQ(with([](Json& j) { j["read_curve"] = Json::array(); }),
            "m.json: read_curve must be a list of 1 to 256 entries, got 0");
  EXPECT_EQ(with([](Json& j) { j["read_curve"] = 3; }), "m.json: read_curve must be a list of 1 to 256 entries, got 3");
  EXPECT_EQ(with([](Json& j) { j["read_curve"][2]["footprint_bytes"] = 4096; }),
            "m.json.read_curve[2]: footprint_bytes must ascend, got 4096 after 4096");
  EXPECT_EQ(with([](Json& j) { j["read_curve"][0]["bytes_per_s"] = 0; }),
            "m.json.read_curve[0]: bytes_per_s must be a number in [1, 1e+21], got 0");
  EXPECT_EQ(with([](Json& j) { j["read_curve"][0]["bytes_per_s"] = NAN; }),
            "m.json.read_curve[0]: bytes_per_s must be a number in [1, 1e+21], got null");
  EXPECT_EQ(with([](Json& j) { j["operations_per_s"]["i8"] = -1; }),
            "m.json.operations_per_s: i8 must be a number in [1, 1e+21], got -1");
  EXPECT_EQ(with([](Json& j) { j["efficiencies"]["linear/f32"][1]["efficiency"] = 7; }),
            "m.json.efficiencies.linear/f32[1]: efficiency must be a number in [1e-09, 1.25], got 7");
  EXPECT_EQ(with([](Json& j) { j["efficiencies"]["linear/f32"] = Json::array(); }),
            "m.json.efficiencies.linear/f32: must be a list of 1 to 4096 points, got []");
  EXPECT_EQ(with([](Json& j) { j["name"] = "a\nb"; }),
            "m.json.name: must be 1 to 256 printable characters, got \"a\\nb\"");
  EXPECT_EQ(with([](Json& j) { j["features"] = Json::array({1}); }), "m.json.features: must be text, got 1");
  EXPECT_EQ(with([](Json& j) { j["peaks"] = Json::array(); }),
            "m.json: peaks must be an object of at most 1024 fields, got []");
  EXPECT_EQ(refusal(Json(3)), "m.json: must be an object, got 3");
}

// Whatever single value is replaced by nonsense, the answer is an Error and never a crash.
TEST(MachineModel, EveryFieldRefusesNonsense) {
  const Json good = made_machine().to_json();
  const Json flat = good.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    for (const Json& nonsense : {Json(), Json::array(), Json::object(), Json(-1), Json(1e300), Json(true)}) {
      Json spoiled = good;
      spoiled[Json::json_pointer(pointer)] = nonsense;
      EXPECT_NE(refusal(spoiled), "accepted") << pointer << " = " << nonsense;
    }
  }
}

}  // namespace
}  // namespace ridge
