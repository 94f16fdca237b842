// Flags and output that several verbs share.
#pragma once

#include "core/json.h"
#include "device/device.h"
#include "text/tokenizer.h"

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace ridge {
class GgufFile;
}  // namespace ridge

namespace ridge::app {

// The positional MODEL.
void add_model(CLI::App& command, std::string& path);
// -t, --threads; 0 stands for every core that this process may use (resolve_threads).
void add_threads(CLI::App& command, int& threads);
// --json
void add_json(CLI::App& command, bool& json);

int resolve_threads(int threads);

// One JSON document on stdout.
void print_json(const Json& json);

// "98.4 MB"; decimal units.
std::string format_bytes(double bytes);

// "1,2,3" as token ids. Throws UsageError naming the part that is none.
std::vector<std::int32_t> parse_ids(const std::string& text);

// The tokenizer of a model file; throws Error when it has none.
Tokenizer load_tokenizer(const GgufFile& file);

// A device of that many threads whose pool holds `bytes` and what steps need beside.
std::unique_ptr<Device> make_cpu_device(int threads);

}  // namespace ridge::app
