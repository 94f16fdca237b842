// ridge tokenize: text to ids and back. A file with a vocabulary and no weights is enough.
#include "common.h"
#include "core/error.h"
#include "core/file.h"
#include "model/gguf.h"
#include "verb.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <fmt/ranges.h>

#include <memory>
#include <optional>

namespace ridge::app {
namespace {

struct TokenizeFlags {
  std::string model;
  std::optional<std::string> text, file, ids;
  bool special = false;
  bool json = false;
};

constexpr std::size_t kMostTextBytes = std::size_t{1} << 30;

int tokenize(const TokenizeFlags& flags) {
  if (flags.text.has_value() + flags.file.has_value() + flags.ids.has_value() != 1) {
    throw UsageError("exactly one of --text, --file and --ids must be given");
  }
  const GgufFile file = GgufFile::open_header(flags.model);
  const Tokenizer tokenizer = load_tokenizer(file);
  std::vector<std::int32_t> ids;
  if (flags.ids) {
    ids = parse_ids(*flags.ids);
  } else {
    const std::string text = flags.text ? *flags.text : read_file(*flags.file, kMostTextBytes);
    ids = tokenizer.encode(text, flags.special ? Special::parse : Special::as_text);
  }
  Json pieces = Json::array();
  for (const std::int32_t id : ids) pieces.push_back(tokenizer.printable_piece(id));
  if (flags.json) {
    Json document{{"ids", ids}, {"pieces", pieces}};
    if (flags.ids) document["text"] = tokenizer.decode(ids);
    print_json(document);
  } else if (flags.ids) {
    fmt::print("{}\n", tokenizer.decode(ids));
  } else {
    fmt::print("{}\n", fmt::join(ids, ","));
  }
  return 0;
}

}  // namespace

Action declare_tokenize(CLI::App& command) {
  const auto flags = std::make_shared<TokenizeFlags>();
  add_model(command, flags->model);
  command.add_option("--text", flags->text, "The text to encode");
  command.add_option("--file", flags->file, "A file with the text to encode (at most 1 GiB)");
  command.add_option("--ids", flags->ids, "Token ids to decode, separated by commas");
  command.add_flag("--special", flags->special, "Spelled special tokens become those tokens, not text");
  add_json(command, flags->json);
  return [flags] { return tokenize(*flags); };
}

}  // namespace ridge::app
