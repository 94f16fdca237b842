// Ctrl-C as a flag that loops ask for, so that nothing is left half-written.
#pragma once

namespace ridge::app {

inline constexpr int kInterrupted = 130;

// From now on SIGINT and SIGTERM set the flag; a second one before it is taken ends the process with 130.
void catch_interrupts();

[[nodiscard]] bool interrupted();

// Whether the flag was set; clears it.
bool take_interrupt();

}  // namespace ridge::app
