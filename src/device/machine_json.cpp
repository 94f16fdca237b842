#include "core/error.h"
#include "device/machine_model.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <set>

namespace ridge {
namespace {

constexpr const char* kSchema = "ridge.machine";
constexpr std::int64_t kVersion = 1;
constexpr double kMostBytes = 0x1p50;
constexpr double kMostRate = 1e21;
constexpr std::size_t kMostCurvePoints = 256;
constexpr std::size_t kMostVariants = 1024;
constexpr std::size_t kMostPoints = 4096;
constexpr std::size_t kMostText = 256;
constexpr std::array<const char*, kArithmetics> kArithmeticNames = {"f32", "bf16", "i8"};

std::string shown(const Json& json) {
  std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

// An object from outside. Each field is asked for once by name; finish() refuses whatever nobody asked for.
class Fields {
 public:
  Fields(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
    require(json.is_object(), "{}: must be an object, got {}", where_, shown(json));
  }

  const Json& get(const char* key) {
    const auto found = json_.find(key);
    require(found != json_.end(), "{}: {} is missing", where_, key);
    asked_.insert(key);
    return *found;
  }

  // A finite number in [low, high].
  double number(const char* key, double low, double high) {
    const Json& value = get(key);
    const double number = value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
    require(number >= low && number <= high, "{}: {} must be a number in [{}, {}], got {}", where_, key, low, high,
            shown(value));
    return number;
  }

  std::int64_t integer(const char* key, std::int64_t low, std::int64_t high) {
    const double value = number(key, static_cast<double>(low), static_cast<double>(high));
    require(value == std::floor(value), "{}: {} must be a whole number, got {}", where_, key, value);
    return static_cast<std::int64_t>(value);
  }

  std::string text(const char* key) { return checked_text(get(key), where_ + "." + key); }

  static std::string checked_text(const Json& value, const std::string& where) {
    require(value.is_string(), "{}: must be text, got {}", where, shown(value));
    const auto& text = value.get_ref<const std::string&>();
    const bool printable = std::all_of(text.begin(), text.end(),
                                       [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F; });
    require(!text.empty() && text.size() <= kMostText && printable, "{}: must be 1 to {} printable characters, got {}",
            where, kMostText, shown(value));
    return text;
  }

  const Json& array(const char* key, std::size_t least, std::size_t most) {
    const Json& value = get(key);
    require(value.is_array() && value.size() >= least && value.size() <= most,
            "{}: {} must be a list of {} to {} entries, got {}", where_, key, least, most,
            value.is_array() ? std::to_string(value.size()) : shown(value));
    return value;
  }

  const Json& object(const char* key, std::size_t most) {
    const Json& value = get(key);
    require(value.is_object() && value.size() <= most, "{}: {} must be an object of at most {} fields, got {}", where_,
            key, most, value.is_object() ? std::to_string(value.size()) : shown(value));
    return value;
  }

  void finish() const {
    for (const auto& [key, value] : json_.items()) {
      require(asked_.contains(key), "{}: unknown field {}", where_, shown(key));
    }
  }

  [[nodiscard]] const std::string& where() const { return where_; }

 private:
  const Json& json_;
  std::string where_;
  std::set<std::string> asked_;
};

std::vector<BandwidthPoint> read_points(Fields& machine, const char* key) {
  std::vector<BandwidthPoint> curve;
  for (const Json& entry : machine.array(key, 1, kMostCurvePoints)) {
    Fields point(entry, fmt::format("{}.{}[{}]", machine.where(), key, curve.size()));
    const BandwidthPoint read{point.number("footprint_bytes", 1, kMostBytes),
                              point.number("bytes_per_s", 1, kMostRate)};
    point.finish();
    require(curve.empty() || read.footprint_bytes > curve.back().footprint_bytes,
            "{}: footprint_bytes must ascend, got {} after {}", point.where(), read.footprint_bytes,
            curve.empty() ? 0 : curve.back().footprint_bytes);
    curve.push_back(read);
  }
  return curve;
}

std::vector<EfficiencyPoint> read_efficiencies(const Json& list, const std::string& where) {
  require(list.is_array() && !list.empty() && list.size() <= kMostPoints,
          "{}: must be a list of 1 to {} points, got {}", where, kMostPoints, shown(list));
  std::vector<EfficiencyPoint> points;
  for (const Json& entry : list) {
    Fields point(entry, fmt::format("{}[{}]", where, points.size()));
    points.push_back({point.number("rows", 1e-9, 1e18), point.number("size", 1e-9, 1e18),
                      point.number("footprint_bytes", 1, kMostBytes), point.number("efficiency", 1e-9, 1.25)});
    point.finish();
  }
  return points;
}

Json points_json(const std::vector<BandwidthPoint>& curve) {
  Json list = Json::array();
  for (const BandwidthPoint& point : curve) {
    list.push_back(Json{{"footprint_bytes", point.footprint_bytes}, {"bytes_per_s", point.bytes_per_s}});
  }
  return list;
}

void read_identity(Fields& fields, MachineModel& machine) {
  const std::string schema = fields.text("schema");
  require(schema == kSchema, "{}: schema must be {}, got {}", fields.where(), kSchema, schema);
  const std::int64_t version = fields.integer("version", 0, 1 << 30);
  require(version == kVersion, "{}: version must be {}, got {}", fields.where(), kVersion, version);
  machine.name = fields.text("name");
  machine.cpu = fields.text("cpu");
  for (const Json& feature : fields.array("features", 0, 64)) {
    machine.features.push_back(Fields::checked_text(feature, fields.where() + ".features"));
  }
  machine.path = fields.text("path");
  machine.threads = static_cast<int>(fields.integer("threads", 1, 65536));
  machine.memory_bytes = fields.number("memory_bytes", 1, kMostBytes);
}

}  // namespace

MachineModel MachineModel::from_json(const Json& json, const std::string& what) {
  Fields fields(json, what);
  MachineModel machine;
  read_identity(fields, machine);
  machine.read_curve = read_points(fields, "read_curve");
  machine.copy_curve = read_points(fields, "copy_curve");
  machine.single_read_curve = read_points(fields, "single_read_curve");
  machine.single_copy_curve = read_points(fields, "single_copy_curve");
  Fields operations(fields.object("operations_per_s", kArithmetics), what + ".operations_per_s");
  for (std::size_t i = 0; i < kArithmetics; ++i) {
    machine.operations_per_s[i] = operations.number(kArithmeticNames[i], 1, kMostRate);
  }
  operations.finish();
  const Json& peaks = fields.object("peaks", kMostVariants);
  Fields peak_fields(peaks, what + ".peaks");
  for (const auto& [loop, rate] : peaks.items()) {
    Fields::checked_text(loop, what + ".peaks");
    machine.peaks[loop] = peak_fields.number(loop.c_str(), 1, kMostRate);
  }
  machine.fork_join_s = fields.number("fork_join_s", 0, 10);
  machine.host_step_s = fields.number("host_step_s", 0, 10);
  machine.host_token_s = fields.number("host_token_s", 0, 10);
  for (const auto& [variant, points] : fields.object("efficiencies", kMostVariants).items()) {
    Fields::checked_text(variant, what + ".efficiencies");
    machine.efficiencies[variant] = read_efficiencies(points, what + ".efficiencies." + variant);
  }
  fields.finish();
  return machine;
}

Json MachineModel::to_json() const {
  Json operations;
  for (std::size_t i = 0; i < kArithmetics; ++i) operations[kArithmeticNames[i]] = operations_per_s[i];
  Json variants = Json::object();
  for (const auto& [variant, points] : efficiencies) {
    Json& list = variants[variant] = Json::array();
    for (const EfficiencyPoint& point : points) {
      list.push_back(Json{{"rows", point.rows},
                          {"size", point.size},
                          {"footprint_bytes", point.footprint_bytes},
                          {"efficiency", point.efficiency}});
    }
  }
  return Json{{"schema", kSchema},
              {"version", kVersion},
              {"name", name},
              {"cpu", cpu},
              {"features", features},
              {"path", path},
              {"threads", threads},
              {"memory_bytes", memory_bytes},
              {"read_curve", points_json(read_curve)},
              {"copy_curve", points_json(copy_curve)},
              {"single_read_curve", points_json(single_read_curve)},
              {"single_copy_curve", points_json(single_copy_curve)},
              {"operations_per_s", operations},
              {"peaks", Json(peaks)},
              {"fork_join_s", fork_join_s},
              {"host_step_s", host_step_s},
              {"host_token_s", host_token_s},
              {"efficiencies", variants}};
}

}  // namespace ridge
