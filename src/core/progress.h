// A progress bar on a terminal.
#pragma once

#include <cstdio>
#include <string>

namespace ridge {

// Whether `stream` may be written to with bars and colour: a terminal, and NO_COLOR is not set.
bool is_decorated(std::FILE* stream);

// Draws "label [#####     ] 42 %" on `stream` if it is decorated, first after half a second, and wipes it at the end.
class ProgressBar {
 public:
  explicit ProgressBar(std::string label, std::FILE* stream = stderr);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();

  // `fraction` in [0, 1].
  void update(double fraction);

 private:
  std::string label_;
  std::FILE* stream_;
  double start_s_;
  double drawn_s_ = 0;
  bool decorated_;
  bool drawn_ = false;
};

}  // namespace ridge
