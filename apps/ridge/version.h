#pragma once

namespace ridge::app {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace ridge::app
