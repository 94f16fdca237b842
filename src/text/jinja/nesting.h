// The bound on recursion while parsing: a template nested deeper is refused before the stack runs out.
#pragma once

#include "text/jinja/budget.h"

namespace ridge::jinja {

inline constexpr int kMaxParseNesting = 120;     // brackets and statements within one another
inline constexpr int kMaxExpressionDepth = 400;  // long chains such as a + b + c ... nest too

class Deeper {
 public:
  Deeper(int& nesting, int line) : nesting_(nesting) {
    if (nesting_ >= kMaxParseNesting)
      throw Failure(ErrorKind::kLimit, fmt::format("nested deeper than {} levels", kMaxParseNesting), line);
    ++nesting_;
  }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
  ~Deeper() { --nesting_; }

 private:
  int& nesting_;
};

}  // namespace ridge::jinja
