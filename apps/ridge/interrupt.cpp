#include "interrupt.h"

#include <unistd.h>
#include <csignal>
#include <cstdlib>

namespace ridge::app {
namespace {

volatile std::sig_atomic_t flag = 0;

extern "C" void on_signal(int /*number*/) {
  if (flag != 0) ::_exit(kInterrupted);
  flag = 1;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  // No SA_RESTART: a read that waits for a line must return.
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
}

bool interrupted() {
  return flag != 0;
}

bool take_interrupt() {
  const bool was_set = flag != 0;
  flag = 0;
  return was_set;
}

}  // namespace ridge::app
