#include "text/pre_tokenizer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "text/jinja/unicode.h"

namespace ridge {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view name, std::string_view text) {
  Words words;
  PreTokenizer(name).split(text, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

TEST(PreTokenizer, EachNameCutsItsOwnWay) {
  const std::string text = "It's 1234  DON'T!\n\n x";
  EXPECT_EQ(words_of("gpt-2", text), (Words{"It", "'s", " 1234", " ", " DON", "'", "T", "!", "\n\n", " x"}));
  EXPECT_EQ(words_of("smollm", text),
            (Words{"It", "'s", " ", "1", "2", "3", "4", " ", " DON", "'", "T", "!", "\n\n", " x"}));
  EXPECT_EQ(words_of("llama-bpe", text), (Words{"It", "'s", " ", "123", "4", " ", " DON", "'T", "!\n\n", " x"}));
  EXPECT_EQ(words_of("qwen2", text), (Words{"It", "'s", " ", "1", "2", "3", "4", " ", " DON", "'T", "!\n\n", " x"}));
  EXPECT_EQ(words_of("default", text),
            (Words{"It", "'", "s", " ", "123", "4", " ", " DON", "'", "T", "!", "\n\n", " x"}));
  EXPECT_EQ(words_of("", text), words_of("default", text));
}

// A look-ahead must not see over the cut of an earlier expression.
TEST(PreTokenizer, LaterExpressionsSeeTheirPieceAlone) {
  EXPECT_EQ(words_of("smollm", "a  1"), (Words{"a", "  ", "1"}));
  EXPECT_EQ(words_of("gpt-2", "a  1"), (Words{"a", " ", " 1"}));
}

TEST(PreTokenizer, WhiteSpaceIsUnicodes) {
  EXPECT_EQ(words_of("gpt-2", "a\u0085\u00A0\u3000"), (Words{"a", "\u0085\u00A0\u3000"}));
  EXPECT_EQ(words_of("gpt-2", "\u180E\u200B!"), (Words{"\u180E\u200B!"})) << "these two are no white space";
}

TEST(PreTokenizer, LettersAndNumbersOfUnicode16AreKnown) {
  EXPECT_EQ(words_of("gpt-2", "a\u1C89\U0001611D!"), (Words{"a\u1C89\U0001611D", "!"}));
  EXPECT_EQ(words_of("gpt-2", "1\U00010D40!"), (Words{"1\U00010D40", "!"}));
  EXPECT_EQ(words_of("smollm", "!\U00011DE0!"), (Words{"!", "\U00011DE0", "!"}));
}

// How many characters of all make one word with `before`.
int joins(std::string_view name, const std::string& before) {
  std::string text;
  for (char32_t character = 0; character < 0x110000; ++character) {
    if (character >= 0xD800 && character < 0xE000) continue;
    text += before;
    jinja::unicode::append(text, character);
    text += '\n';
  }
  int count = 0;
  PreTokenizer(name).split(text, [&](std::string_view word) { count += word.size() > 1 && word.starts_with(before); });
  return count;
}

// The sizes of \p{L}, \p{N} and \p{P} (with $+<=>^~|) in the expressions of `tokenizers` 0.23.3.
TEST(PreTokenizer, ClassesAreAsLargeAsInUnicode16) {
  EXPECT_EQ(joins("gpt-2", "a"), 141028);
  EXPECT_EQ(joins("gpt-2", "1"), 1911);
  EXPECT_EQ(joins("default", "!"), 855 + 8);
}

TEST(PreTokenizer, ContractionsAreCutFromLongerWordsInAnyCase) {
  EXPECT_EQ(words_of("llama-bpe", "it'Sam x'\u017Fa"), (Words{"it", "'S", "am", " x", "'\u017F", "a"}));
  EXPECT_EQ(words_of("qwen2", "it'LLama"), (Words{"it", "'LL", "ama"}));
  EXPECT_EQ(words_of("gpt-2", "it'sam it'Sam"), (Words{"it", "'s", "am", " it", "'", "Sam"}));
}

TEST(PreTokenizer, AnUnknownNameIsNamed) {
  try {
    const PreTokenizer pre_tokenizer("gpt-3");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "tokenizer: unknown pre-tokenizer \"gpt-3\"");
  }
}

}  // namespace
}  // namespace ridge
