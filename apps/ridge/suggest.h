// "Did you mean …?" for verbs and flags.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge::app {

// The candidate with the fewest edits to `given` (insertions, deletions, substitutions), if those are at most two or a
// third of its letters; empty otherwise.
std::string nearest(std::string_view given, const std::vector<std::string>& candidates);

}  // namespace ridge::app
