#include "text/stop_strings.h"

#include "core/error.h"

#include <algorithm>
#include <utility>

namespace ridge {
namespace {

// The length of the longest end of `text` that begins `stop` without being all of it.
std::size_t begun(std::string_view text, std::string_view stop) {
  for (std::size_t length = std::min(text.size(), stop.size() - 1); length > 0; --length) {
    if (text.ends_with(stop.substr(0, length))) return length;
  }
  return 0;
}

}  // namespace

StopStrings::StopStrings(std::vector<std::string> stops) : stops_(std::move(stops)) {
  for (const std::string& stop : stops_) require(!stop.empty(), "stop: a stop string must not be empty");
}

std::string StopStrings::push(std::string_view text) {
  if (stopped_) return "";
  held_ += text;
  std::size_t first = std::string::npos;
  std::size_t kept = 0;
  for (const std::string& stop : stops_) {
    first = std::min(first, held_.find(stop));
    kept = std::max(kept, begun(held_, stop));
  }
  stopped_ = first != std::string::npos;
  const std::size_t certain = stopped_ ? first : held_.size() - kept;
  std::string out = held_.substr(0, certain);
  held_.erase(0, stopped_ ? held_.size() : certain);
  return out;
}

std::string StopStrings::finish() {
  return std::exchange(held_, "");
}

}  // namespace ridge
