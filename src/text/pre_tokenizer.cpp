#include "text/pre_tokenizer.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/error.h"

namespace ridge {
namespace {

// The expressions are those of the models' tokenizer.json files. Every property is written inside a bracketed class,
// where exact_classes() can name characters beside it; \S is written [^\s].
constexpr std::string_view kNumber = R"([\p{N}])";
constexpr std::string_view kGpt2 =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?[\p{L}]+| ?[\p{N}]+| ?[^\s\p{L}\p{N}]+|[\s]+(?![^\s])|[\s]+)";
constexpr std::string_view kLlama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}]+|[\p{N}]{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
    R"(|[\s]*[\r\n]+|[\s]+(?![^\s])|[\s]+)";
constexpr std::string_view kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}]+|[\p{N}]| ?[^\s\p{L}\p{N}]+[\r\n]*)"
    R"(|[\s]*[\r\n]+|[\s]+(?![^\s])|[\s]+)";
// SmolLM's digits are cut by Rust's char::is_numeric, which is at Unicode 17.
constexpr std::string_view kNumberOfRust = R"([\p{N}\x{11DE0}-\x{11DE9}\x{16FF4}-\x{16FF6}])";

struct Row {
  std::array<std::string_view, 4> names;  // unused ones are empty, as steps are
  std::array<std::string_view, 4> steps;
  bool keeps_whole_words = false;
  bool adds_bos = false;
};

constexpr std::array kRows = {
    // What llama.cpp does for files that name none.
    Row{{"default"}, {R"([\p{P}\$\+<=>\^~\|]+)", kGpt2, R"([\p{N}]+)", R"([0-9][0-9][0-9])"}},
    Row{{"gpt-2", "phi-2", "mpt", "olmo"}, {kGpt2}},
    Row{{"smollm"}, {kNumberOfRust, kGpt2}},
    Row{{"starcoder", "refact", "command-r", "codeshell"}, {kNumber, kGpt2}},
    Row{{"llama-bpe", "llama3", "llama-v3", "falcon3"}, {kLlama3}, true, true},
    Row{{"dbrx", "smaug-bpe"}, {kLlama3}},
    Row{{"qwen2", "deepseek-r1-qwen", "megrez", "stablelm2"}, {kQwen2}},
};

// PCRE2 10.42 knows Unicode 14; these are the characters that 15.0 to 16.0 added to each class. White space is spelled
// out because PCRE2's \s differs by options, and with them counts U+180E.
struct CharacterClass {
  std::string_view written, exact;
};
constexpr std::array kClasses = {
    CharacterClass{R"(\p{L})",
                   R"(\p{L}\x{1C89}-\x{1C8A}\x{A7CB}-\x{A7CD}\x{A7DA}-\x{A7DC}\x{105C0}-\x{105F3}\x{10D4A}-\x{10D65})"
                   R"(\x{10D6F}-\x{10D85}\x{10EC2}-\x{10EC4}\x{1123F}-\x{11240}\x{11380}-\x{11389}\x{1138B}\x{1138E})"
                   R"(\x{11390}-\x{113B5}\x{113B7}\x{113D1}\x{113D3}\x{11BC0}-\x{11BE0}\x{11F02}\x{11F04}-\x{11F10})"
                   R"(\x{11F12}-\x{11F33}\x{1342F}\x{13441}-\x{13446}\x{13460}-\x{143FA}\x{16100}-\x{1611D})"
                   R"(\x{16D40}-\x{16D6C}\x{18CFF}\x{1B132}\x{1B155}\x{1DF25}-\x{1DF2A}\x{1E030}-\x{1E06D})"
                   R"(\x{1E4D0}-\x{1E4EB}\x{1E5D0}-\x{1E5ED}\x{1E5F0}\x{2B739}\x{2EBF0}-\x{2EE5D}\x{31350}-\x{323AF})"},
    CharacterClass{R"(\p{N})", R"(\p{N}\x{10D40}-\x{10D49}\x{116D0}-\x{116E3}\x{11BF0}-\x{11BF9}\x{11F50}-\x{11F59})"
                               R"(\x{16130}-\x{16139}\x{16D70}-\x{16D79}\x{1CCF0}-\x{1CCF9}\x{1D2C0}-\x{1D2D3})"
                               R"(\x{1E4F0}-\x{1E4F9}\x{1E5F1}-\x{1E5FA})"},
    CharacterClass{R"(\p{P})",
                   R"(\p{P}\x{1B4E}-\x{1B4F}\x{1B7F}\x{10D6E}\x{113D4}-\x{113D5}\x{113D7}-\x{113D8}\x{11B00}-\x{11B09})"
                   R"(\x{11BE1}\x{11F43}-\x{11F4F}\x{16D6D}-\x{16D6F}\x{1E5FF})"},
    CharacterClass{R"(\s)",
                   R"(\x{9}-\x{D}\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})"},
};

std::string exact_classes(std::string pattern) {
  for (const auto& [written, exact] : kClasses) {
    for (std::size_t at = pattern.find(written); at != std::string::npos; at = pattern.find(written, at)) {
      pattern.replace(at, written.size(), exact);
      at += exact.size();
    }
  }
  return pattern;
}

const Row& row_of(std::string_view name) {
  const std::string_view wanted = name.empty() ? "default" : name;
  for (const Row& row : kRows) {
    if (std::find(row.names.begin(), row.names.end(), wanted) != row.names.end()) return row;
  }
  fail("tokenizer: unknown pre-tokenizer {:?}", name.substr(0, 64));
}

// Hands the words of `text` from expression `step` on to `word`; as deep as there are expressions.
struct Splitter {
  const std::vector<Regex>& steps;
  const std::function<void(std::string_view)>& word;
  Regex::Scratch scratch;

  void split(std::string_view text, std::size_t step) {
    if (text.empty()) return;
    if (step == steps.size()) return word(text);
    std::size_t at = 0;
    while (const auto match = steps[step].find(text, at, scratch)) {
      split(text.substr(at, match->begin - at), step + 1);
      split(text.substr(match->begin, match->end - match->begin), step + 1);
      at = match->end;
    }
    split(text.substr(at), step + 1);
  }
};

}  // namespace

PreTokenizer::PreTokenizer(std::string_view name) {
  const Row& row = row_of(name);
  for (const std::string_view step : row.steps) {
    if (!step.empty()) steps_.emplace_back(exact_classes(std::string(step)));
  }
  keeps_whole_words_ = row.keeps_whole_words;
  adds_bos_ = row.adds_bos;
}

void PreTokenizer::split(std::string_view text, const std::function<void(std::string_view)>& word) const {
  Splitter{steps_, word, {}}.split(text, 0);
}

}  // namespace ridge
