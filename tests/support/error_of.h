// What a test says of work that should fail.
#pragma once

#include "core/error.h"

#include <functional>
#include <string>

namespace ridge {

// The message of the Error that `work` throws, or "no error".
inline std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace ridge
