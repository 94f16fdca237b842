// A verb of the command line: its flags, and what it does once they are parsed.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ridge::app {

// Does the verb's work and returns the exit code: 0 done, 1 failed, 130 interrupted. Throws Error (1) or UsageError
// (2).
using Action = std::function<int()>;

struct Verb {
  const char* name;
  const char* summary;
  const char* examples;  // two, a line each
  // Declares the verb's flags on `command` and returns its action, which may hold on to what the flags write to.
  Action (*declare)(CLI::App& command);
};

Action declare_bench(CLI::App& command);
Action declare_chat(CLI::App& command);
Action declare_doctor(CLI::App& command);
Action declare_inspect(CLI::App& command);
Action declare_logits(CLI::App& command);
Action declare_machine(CLI::App& command);
Action declare_predict(CLI::App& command);
Action declare_profile(CLI::App& command);
Action declare_run(CLI::App& command);
Action declare_tokenize(CLI::App& command);
Action declare_tour(CLI::App& command);

}  // namespace ridge::app
