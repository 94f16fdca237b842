#include "common.h"

#include "core/error.h"
#include "model/gguf_vocabulary.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <charconv>
#include <sstream>

namespace ridge::app {

void add_model(CLI::App& command, std::string& path) {
  command.add_option("MODEL", path, "Model file (GGUF)")->required();
}

void add_threads(CLI::App& command, int& threads) {
  command.add_option("-t,--threads", threads, "Threads; 0: every core that this process may use")
      ->check(CLI::Range(0, 4096));
}

void add_json(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Print one JSON document on stdout and nothing else there");
}

int resolve_threads(int threads) {
  return threads == 0 ? usable_cores() : threads;
}

void print_json(const Json& json) {
  // Bytes that are not UTF-8 become U+FFFD: a document must be readable.
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

std::string format_bytes(double bytes) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  int unit = 0;
  while (bytes >= 1000 && unit < 4) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, kUnits[unit]);
}

std::vector<std::int32_t> parse_ids(const std::string& text) {
  std::vector<std::int32_t> ids;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t first = part.find_first_not_of(' ');
    const std::size_t last = part.find_last_not_of(' ');
    const std::string word = first == std::string::npos ? "" : part.substr(first, last - first + 1);
    std::int32_t id = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (error != std::errc() || end != word.data() + word.size() || id < 0) {
      throw UsageError(fmt::format("--ids: \"{}\" is not a token id", word));
    }
    ids.push_back(id);
  }
  if (ids.empty()) throw UsageError("--ids: no token ids given");
  return ids;
}

Tokenizer load_tokenizer(const GgufFile& file) {
  return Tokenizer(read_vocabulary(file));
}

std::unique_ptr<Device> make_cpu_device(int threads) {
  return Device::cpu(resolve_threads(threads));
}

}  // namespace ridge::app
