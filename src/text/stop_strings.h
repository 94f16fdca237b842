// Ends a streamed text at the first of some strings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge {

// Text goes in piece by piece; what cannot be the beginning of a stop string any more comes out.
class StopStrings {
 public:
  // Throws Error when one is empty.
  explicit StopStrings(std::vector<std::string> stops);

  // The text that is now certain. After a stop string was met: what stood before it, and nothing from then on.
  std::string push(std::string_view text);
  // What was held back, at the end of the text.
  std::string finish();
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  std::vector<std::string> stops_;
  std::string held_;
  bool stopped_ = false;
};

}  // namespace ridge
