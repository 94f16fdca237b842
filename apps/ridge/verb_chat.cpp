// ridge chat: a conversation. Ctrl-C stops an answer, not the program.
#include "common.h"
#include "core/error.h"
#include "core/progress.h"
#include "generation.h"
#include "interrupt.h"
#include "verb.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>

namespace ridge::app {
namespace {

struct ChatFlags {
  LoadFlags load;
  SamplingFlags sampling;
  std::string system;
};

// The next line of standard input; none at its end. Ctrl-C while waiting only says how to leave.
std::optional<std::string> read_line(bool prompted) {
  while (true) {
    if (prompted) fmt::print(stderr, "> ");
    char* line = nullptr;
    std::size_t capacity = 0;
    errno = 0;
    const ssize_t length = ::getline(&line, &capacity, stdin);
    const std::unique_ptr<char, decltype(&std::free)> owner(line, &std::free);
    if (length >= 0) {
      std::string text(line, static_cast<std::size_t>(length));
      if (text.ends_with('\n')) text.pop_back();
      return text;
    }
    if (errno != EINTR || !take_interrupt()) return std::nullopt;
    std::clearerr(stdin);
    fmt::print(stderr, "\n(Ctrl-D or /exit leaves)\n");
  }
}

int chat(const ChatFlags& flags) {
  const LoadedModel loaded(flags.load);
  Json messages = Json::array();
  if (!flags.system.empty()) messages.push_back({{"role", "system"}, {"content", flags.system}});
  apply_template(loaded.tokenizer, Json::array({{{"role", "user"}, {"content", ""}}}));  // a file without one fails now
  const bool prompted = is_decorated(stdin) && is_decorated(stderr);
  if (prompted) fmt::print(stderr, "{}: Ctrl-C stops an answer, Ctrl-D or /exit leaves\n", loaded.model.config.name);
  while (const auto line = read_line(prompted)) {
    if (*line == "/exit") break;
    if (line->empty()) continue;
    messages.push_back({{"role", "user"}, {"content", *line}});
    const auto prompt = loaded.tokenizer.encode(apply_template(loaded.tokenizer, messages), Special::parse);
    try {
      const Answer answer = generate(loaded, flags.load, prompt, flags.sampling, [](const std::string& text) {
        fmt::print("{}", text);
        std::fflush(stdout);
      });
      take_interrupt();
      fmt::print("\n");
      if (prompted) fmt::print(stderr, "{}\n", describe_timings(answer, loaded.load_s));
      messages.push_back({{"role", "assistant"}, {"content", answer.text}});
    } catch (const Error& error) {
      // The history stays as it was before the line that could not be answered.
      messages.erase(messages.size() - 1);
      fmt::print(stderr, "ridge: {}\n", error.what());
      if (!prompted) return 1;
    }
  }
  return 0;
}

}  // namespace

Action declare_chat(CLI::App& command) {
  const auto flags = std::make_shared<ChatFlags>();
  flags->sampling.max_tokens = 512;
  add_load_flags(command, flags->load);
  command.add_option("--system", flags->system, "System message");
  add_sampling_flags(command, flags->sampling);
  return [flags] { return chat(*flags); };
}

}  // namespace ridge::app
