// Every environment variable that the project reads, in one place; `ridge doctor` prints them.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace ridge {

struct EnvironmentVariable {
  const char* name;
  const char* meaning;
};

// The table of all variables.
std::span<const EnvironmentVariable> environment_variables();

// The value of a variable in the table; empty counts as unset. Throws Error for a name that is not in the table.
std::optional<std::string> environment(const char* name);

// Where measured machines are kept: $RIDGE_CACHE, else $XDG_CACHE_HOME/ridge, else ~/.cache/ridge. Throws Error when
// none is set.
std::string cache_directory();

}  // namespace ridge
