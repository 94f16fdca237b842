// JSON through nlohmann-json, whose heavy header only .cpp files include (<nlohmann/json.hpp>).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace ridge {

// Keeps the order of keys, so that documents read as they were written.
using Json = nlohmann::ordered_json;

// Parses text from outside. `what` names the source in errors ("config.json"); depth is limited to 128 levels.
// Throws Error with line and column on malformed text, duplicate keys or invalid UTF-8.
Json parse_json(std::string_view text, std::string_view what);

// Reads and parses a file of at most `max_bytes`. Throws Error when it cannot be read or is larger.
Json read_json(const std::string& path, std::size_t max_bytes = std::size_t{64} << 20);

// Writes atomically: a temporary file beside `path`, fsync, rename. Throws Error and leaves nothing behind on failure.
void write_json(const std::string& path, const Json& json);

}  // namespace ridge
