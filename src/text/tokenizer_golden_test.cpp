// The ids of the Hugging Face `tokenizers` library (tools/make_goldens/tokenizer.py).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/json.h"
#include "text/tokenizer.h"
#include "text/utf8.h"

namespace ridge {
namespace {

using Ids = std::vector<std::int32_t>;

Json data(const std::string& name) {
  return read_json(std::string(RIDGE_SOURCE_DIR) + "/tests/data/tokenizer/" + name);
}

std::string from_hex(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

// In the order of the goldens.
std::vector<std::string> texts() {
  const Json given = data("texts.json");
  std::vector<std::string> all = given.at("texts");
  for (const std::string digits : given.at("broken")) all.push_back(from_hex(digits));
  for (const Json& repeated : given.at("repeated")) {
    std::string text;
    for (int i = 0; i < repeated.at(1).get<int>(); ++i) text += repeated.at(0).get<std::string>();
    all.push_back(text);
  }
  return all;
}

Tokenizer tokenizer_of(const std::string& pre) {
  const Json given = data("vocabulary.json");
  Vocabulary vocabulary;
  vocabulary.model = "gpt2";
  vocabulary.pre = pre;
  vocabulary.tokens = given.at("tokens");
  vocabulary.merges = given.at("merges");
  for (const int type : given.at("types")) vocabulary.types.push_back(static_cast<TokenType>(type));
  return Tokenizer(std::move(vocabulary));
}

TEST(TokenizerGoldens, IdsEqualThoseOfTokenizers) {
  const std::vector<std::string> all = texts();
  const Json goldens = data("goldens.json");
  for (const auto& [pre, ids] : goldens.at("ids").items()) {
    const Tokenizer tokenizer = tokenizer_of(pre);
    std::vector<Ids> expected = ids.at("as_text");
    ASSERT_EQ(expected.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(tokenizer.encode(all[i]), expected[i]) << pre << ' ' << i;
    ASSERT_FALSE(ids.at("parse").empty());
    for (const Json& changed : ids.at("parse")) expected[changed.at(0).get<std::size_t>()] = changed.at(1).get<Ids>();
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(tokenizer.encode(all[i], Special::parse), expected[i]) << pre << ' ' << i;
    }
  }
}

TEST(TokenizerGoldens, DecodedIdsAreTheText) {
  const Tokenizer tokenizer = tokenizer_of("smollm");
  for (const std::string& text : texts()) {
    std::string kept = replace_broken_utf8(text);
    std::erase_if(kept, [](char byte) { return byte == 4; });  // U+0004 has no token in this vocabulary, nor F1
    if (kept.find('\xF1') != std::string::npos) continue;
    EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), kept);
    EXPECT_EQ(tokenizer.decode(tokenizer.encode(text, Special::parse)), kept);
  }
}

}  // namespace
}  // namespace ridge
