// ridge: the command line. Finds the verb, parses its flags, and turns errors into one line and an exit code.
#include "core/error.h"
#include "interrupt.h"
#include "suggest.h"
#include "verb.h"
#include "version.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <new>

namespace ridge::app {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

constexpr Verb kVerbs[] = {
    {"run", "Continue a text, or answer it with --chat",
     "ridge run model.gguf -p \"The sea is\" -n 32\n  ridge run model.gguf --chat -p \"What is gravity?\" "
     "--temperature 0.7 --seed 1",
     declare_run},
    {"chat", "Talk to a model, with its own template and a history",
     "ridge chat model.gguf\n  ridge chat model.gguf --system \"Answer in one sentence.\"", declare_chat},
    {"bench", "Measure prefill and decode, beside what was predicted",
     "ridge bench model.gguf\n  ridge bench model.gguf -p 512 -n 128 -b 1,8 --output json", declare_bench},
    {"predict", "Say how fast a model will run and what memory it takes, without running it",
     "ridge predict model.gguf --prompt 512 --generate 128\n  ridge predict config.json --type Q8_0 --device "
     "virtual:machine.json",
     declare_predict},
    {"profile", "Show where the time of a prefill and a decode step goes, operator by operator",
     "ridge profile model.gguf\n  ridge profile model.gguf --trace trace.json", declare_profile},
    {"inspect", "Show what a model file holds", "ridge inspect model.gguf\n  ridge inspect model.gguf --json",
     declare_inspect},
    {"tokenize", "Turn text into token ids, or ids into text",
     "ridge tokenize model.gguf --text \"Hello, world\"\n  ridge tokenize model.gguf --ids 19556,28,905 --json",
     declare_tokenize},
    {"logits", "Print or save the logits of every position",
     "ridge logits model.gguf --ids 1,2,3\n  ridge logits model.gguf --ids 1,2,3 --out logits.npy", declare_logits},
    {"machine", "Measure this machine's ceilings, or show them", "ridge machine measure\n  ridge machine show --json",
     declare_machine},
    {"doctor", "Show what this machine offers and which paths are taken", "ridge doctor\n  ridge doctor --json",
     declare_doctor},
    {"tour", "The machine, the model, the prediction, an answer and the measured figures",
     "ridge tour model.gguf\n  ridge tour model.gguf What is gravity?", declare_tour},
};

struct Command {
  CLI::App* app;
  Action action;
};

std::vector<std::string> flag_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::string suggestion(std::string_view given, const std::vector<std::string>& candidates) {
  const std::string best = nearest(given, candidates);
  return best.empty() ? "" : fmt::format("; did you mean {}?", best);
}

// What was left over after parsing: an unknown verb, flag or word.
std::string explain_extras(const CLI::App& root) {
  const auto chosen = root.get_subcommands();
  const CLI::App* command = &root;
  std::string path = "ridge";
  for (auto sub = chosen; !sub.empty(); sub = command->get_subcommands()) {
    command = sub.front();
    path += " " + command->get_name();
  }
  std::vector<std::string> extras = command->remaining();
  if (extras.empty()) extras = root.remaining(true);
  const std::string extra = extras.empty() ? "" : extras.front();
  if (extra.starts_with("-"))
    return fmt::format("{}: unknown flag {}{}", path, extra, suggestion(extra, flag_names(*command)));
  std::vector<std::string> verbs;
  for (const CLI::App* sub : command->get_subcommands([](const CLI::App*) { return true; }))
    verbs.push_back(sub->get_name());
  if (!verbs.empty()) return fmt::format("{}: unknown verb {}{}", path, extra, suggestion(extra, verbs));
  return fmt::format("{}: unexpected word {}", path, extra);
}

int complain(int code, const std::string& message) {
  fmt::print(stderr, "ridge: {}\n", message);
  return code;
}

int run_command(const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    if (!command.app->parsed()) continue;
    try {
      return command.action();
    } catch (const UsageError& error) {
      return complain(kBadUsage, fmt::format("{}: {}", command.app->get_name(), error.what()));
    } catch (const Error& error) {
      return complain(kFailed, error.what());
    } catch (const std::bad_alloc&) {
      return complain(kFailed, "out of memory");
    }
  }
  return kBadUsage;
}

int parse_and_run(int argc, char** argv) {
  CLI::App root{"Ridgeline: runs language models, and says before every run how fast it should be."};
  root.name("ridge");
  root.set_version_flag("--version", fmt::format("ridge {}", kVersion));
  root.require_subcommand(1);
  root.footer("Exit codes: 0 done, 1 failed, 2 bad usage, 130 interrupted. `ridge VERB --help` says more.");
  root.failure_message([](const CLI::App*, const CLI::Error&) { return std::string(); });
  std::vector<Command> commands;
  for (const Verb& verb : kVerbs) {
    CLI::App* command = root.add_subcommand(verb.name, verb.summary);
    command->footer(fmt::format("Examples:\n  {}", verb.examples));
    command->option_defaults()->always_capture_default();
    commands.push_back({command, verb.declare(*command)});
  }
  try {
    root.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return root.exit(success);
  } catch (const CLI::ExtrasError&) {
    return complain(kBadUsage, explain_extras(root));
  } catch (const CLI::RequiredError& error) {
    // An unknown verb looks to CLI11 like no verb.
    const bool unknown_verb = root.get_subcommands().empty() && !root.remaining().empty();
    return complain(kBadUsage,
                    unknown_verb ? explain_extras(root) : fmt::format("{} (see ridge --help)", error.what()));
  } catch (const CLI::ParseError& error) {
    return complain(kBadUsage, fmt::format("{} (see ridge --help)", error.what()));
  }
  return run_command(commands);
}

}  // namespace
}  // namespace ridge::app

int main(int argc, char** argv) {
  ridge::app::catch_interrupts();
  return ridge::app::parse_and_run(argc, argv);
}
