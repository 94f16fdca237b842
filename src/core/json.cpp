#include "core/json.h"

#include "core/error.h"
#include "core/file.h"

#include <nlohmann/json.hpp>

#include <set>
#include <vector>

namespace ridge {
namespace {

constexpr int kMaxDepth = 128;

// nlohmann keeps the last of two equal keys silently; a document from outside that says a thing twice is refused.
class Guard {
 public:
  explicit Guard(std::string_view what) : what_(what) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    require(depth < kMaxDepth, "{}: JSON is nested deeper than {} levels", what_, kMaxDepth);
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      require(keys_.back().insert(key).second, "{}: JSON key \"{}\" stands twice in one object", what_, key);
    }
    return true;
  }

 private:
  std::string_view what_;
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

Json parse_json(std::string_view text, std::string_view what) {
  Guard guard(what);
  try {
    return Json::parse(
        text, [&](int depth, Json::parse_event_t event, const Json& parsed) { return guard(depth, event, parsed); });
  } catch (const nlohmann::json::exception& error) {
    fail("{}: not valid JSON: {}", what, error.what());
  }
}

Json read_json(const std::string& path, std::size_t max_bytes) {
  return parse_json(read_file(path, max_bytes), path);
}

void write_json(const std::string& path, const Json& json) {
  write_file_atomically(path, json.dump(2) + "\n");
}

}  // namespace ridge
