#include "core/progress.h"

#include "core/clock.h"
#include "core/env.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace ridge {
namespace {

constexpr double kFirstDrawAfter_s = 0.5;
constexpr double kRedrawAfter_s = 0.1;
constexpr int kWidth = 30;

}  // namespace

bool is_decorated(std::FILE* stream) {
  return ::isatty(::fileno(stream)) == 1 && !environment("NO_COLOR");
}

ProgressBar::ProgressBar(std::string label, std::FILE* stream)
    : label_(std::move(label)), stream_(stream), start_s_(SteadyClock().now()), decorated_(is_decorated(stream)) {}

ProgressBar::~ProgressBar() {
  if (drawn_) fmt::print(stream_, "\r\033[K");
}

void ProgressBar::update(double fraction) {
  if (!decorated_) return;
  const double now = SteadyClock().now();
  if (now - start_s_ < kFirstDrawAfter_s || now - drawn_s_ < kRedrawAfter_s) return;
  drawn_s_ = now;
  drawn_ = true;
  fraction = std::clamp(fraction, 0.0, 1.0);
  const int filled = static_cast<int>(fraction * kWidth);
  fmt::print(stream_, "\r{} [{:#<{}}{: <{}}] {:3.0f} %\033[K", label_, "", filled, "", kWidth - filled, 100 * fraction);
  std::fflush(stream_);
}

}  // namespace ridge
