// The global functions of templates.
#pragma once

#include "text/jinja/value.h"

#include <optional>
#include <string_view>

namespace ridge::jinja {

// range, dict, namespace, cycler, joiner, raise_exception, strftime_now; nothing for another name.
std::optional<Value> global_function(std::string_view name);

}  // namespace ridge::jinja
