#include "text/tokenizer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "text/test_vocabulary.h"

namespace ridge {
namespace {

using Ids = std::vector<std::int32_t>;

TEST(Tokenizer, TheEarliestMergeGoesFirstAndTheLeftmostOfEquals) {
  const Tokenizer tokenizer(test_vocabulary({"b c", "a b", "a a", "aa a"}));
  EXPECT_EQ(tokenizer.encode("abc"), (Ids{'a', 256}));
  EXPECT_EQ(tokenizer.encode("abab"), (Ids{257, 257}));
  EXPECT_EQ(tokenizer.encode("aaa"), (Ids{259}));
  EXPECT_EQ(tokenizer.encode("aaaa"), (Ids{258, 258}));
  EXPECT_EQ(tokenizer.encode("aaaaa"), (Ids{258, 259}));
}

// "b c" stood in the queue when its "b" became a part of "ab": it must leave the neighbours of "c" alone.
TEST(Tokenizer, APairWhoseLeftSideIsGoneDoesNotMerge) {
  const Tokenizer tokenizer(test_vocabulary({"a b", "b c", "d e", "c de"}));
  EXPECT_EQ(tokenizer.encode("abcde"), (Ids{256, 259}));
  EXPECT_EQ(tokenizer.encode("bcde"), (Ids{257, 258}));
}

TEST(Tokenizer, NothingIsNoTokens) {
  const Tokenizer tokenizer(test_vocabulary({"a b"}));
  EXPECT_TRUE(tokenizer.encode("").empty());
  EXPECT_EQ(tokenizer.decode({}), "");
}

TEST(Tokenizer, NulIsAByteLikeAnyOther) {
  const Tokenizer tokenizer(test_vocabulary({"a b"}));
  EXPECT_EQ(tokenizer.encode(std::string_view("\0ab\0", 4)), (Ids{0, 256, 0}));
  EXPECT_EQ(tokenizer.decode(Ids{0, 256, 0}), std::string("\0ab\0", 4));
}

// Quadratic time would be hours for the word of a megabyte and minutes for the others.
TEST(Tokenizer, LongRunsAreQuick) {
  for (const char* pre : {"gpt-2", "smollm", "llama-bpe", "qwen2", "default"}) {
    const Tokenizer tokenizer(test_vocabulary({"a a", "aa aa", "\u0120 \u0120", "1 1", "! !", "\u010A \u010A"}, pre));
    EXPECT_EQ(tokenizer.encode(std::string(std::size_t{1} << 20, 'a')), Ids(std::size_t{1} << 18, 257)) << pre;
    for (const char* unit : {" ", "1", "!", "\n", " \n", "\t ", "a1", "'", "\u00E9"}) {
      std::string text;
      while (text.size() < std::size_t{1} << 16) text += unit;
      EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text) << pre;
    }
  }
}

TEST(Tokenizer, SpelledControlTokensAreTextUnlessParsed) {
  Vocabulary vocabulary = test_vocabulary({"a b"});
  const std::int32_t control = add_token(vocabulary, "<c>", TokenType::control);
  const std::int32_t user_defined = add_token(vocabulary, "<u>", TokenType::user_defined);
  add_token(vocabulary, "<n>", TokenType::unused);
  const Tokenizer tokenizer(vocabulary);
  EXPECT_EQ(tokenizer.encode("ab<c><u>"), (Ids{256, '<', 'c', '>', user_defined}));
  EXPECT_EQ(tokenizer.encode("ab<c><u>", Special::parse), (Ids{256, control, user_defined}));
  EXPECT_EQ(tokenizer.encode("<n>", Special::parse), (Ids{'<', 'n', '>'}));
  EXPECT_EQ(tokenizer.decode(Ids{control, 'x', user_defined}), "<c>x<u>");
  EXPECT_EQ(tokenizer.decode(Ids{control, 'x', user_defined}, true), "x<u>");
}

TEST(Tokenizer, SpecialSpellingsAreNotReadInTheByteAlphabet) {
  Vocabulary vocabulary = test_vocabulary({"a b"});
  const std::int32_t control = add_token(vocabulary, "\u00E9!", TokenType::control);
  const std::int32_t normal = add_token(vocabulary, "\u00E9?", TokenType::normal);
  const Tokenizer tokenizer(vocabulary);
  EXPECT_EQ(tokenizer.piece(control), "\u00E9!");
  EXPECT_EQ(tokenizer.piece(normal), "\xE9?");
}

TEST(Tokenizer, ATokenThatIsNoTextPrintsAsReplacement) {
  const Tokenizer tokenizer(test_vocabulary({"a b"}));
  EXPECT_EQ(tokenizer.piece(0xE2), "\xE2");
  EXPECT_EQ(tokenizer.printable_piece(0xE2), "\uFFFD");
  EXPECT_EQ(tokenizer.printable_piece(256), "ab");
}

TEST(Tokenizer, EndsStandWhereTheModelHasThem) {
  Vocabulary vocabulary = test_vocabulary({"a b"});
  vocabulary.bos = add_token(vocabulary, "<s>", TokenType::control);
  vocabulary.eos = add_token(vocabulary, "</s>", TokenType::control);
  EXPECT_EQ(Tokenizer(vocabulary).encode("ab", Special::as_text, Ends::as_model), (Ids{256}));
  vocabulary.add_eos = true;
  vocabulary.pre = "llama-bpe";  // begins with BOS where the file does not say
  EXPECT_EQ(Tokenizer(vocabulary).encode("ab", Special::as_text, Ends::as_model), (Ids{257, 256, 258}));
  EXPECT_EQ(Tokenizer(vocabulary).encode("ab"), (Ids{256}));
  vocabulary.add_bos = false;
  EXPECT_EQ(Tokenizer(vocabulary).encode("", Special::as_text, Ends::as_model), (Ids{258}));
}

TEST(Tokenizer, GenerationEndsAtTheFilesTokensAndAtKnownControlTokens) {
  Vocabulary vocabulary = test_vocabulary({"a b"});
  vocabulary.eos = 256;
  const std::int32_t turn = add_token(vocabulary, "<|im_end|>", TokenType::control);
  const std::int32_t text = add_token(vocabulary, "<|eot_id|>", TokenType::normal);
  const Tokenizer tokenizer(vocabulary);
  EXPECT_TRUE(tokenizer.is_end_of_generation(256));
  EXPECT_TRUE(tokenizer.is_end_of_generation(turn));
  EXPECT_FALSE(tokenizer.is_end_of_generation(text));
  EXPECT_FALSE(tokenizer.is_end_of_generation(-1));
  EXPECT_FALSE(tokenizer.is_special(1 << 30));
  EXPECT_EQ(tokenizer.find("<|im_end|>"), turn);
  EXPECT_FALSE(tokenizer.find("<|im_start|>"));
}

TEST(Tokenizer, WholeWordsAreKeptWhereThePreTokenizerSaysSo) {
  Vocabulary vocabulary = test_vocabulary({"a b"});
  const std::int32_t word = add_token(vocabulary, "xyz", TokenType::normal);
  EXPECT_EQ(Tokenizer(vocabulary).encode("xyz"), (Ids{'x', 'y', 'z'}));
  vocabulary.pre = "llama-bpe";
  EXPECT_EQ(Tokenizer(vocabulary).encode("xyz"), (Ids{word}));
  vocabulary.types[static_cast<std::size_t>(word)] = TokenType::control;
  EXPECT_EQ(Tokenizer(vocabulary).encode("xyz"), (Ids{'x', 'y', 'z'}));
}

TEST(Tokenizer, MovesWithItsVocabulary) {
  Tokenizer first(test_vocabulary({"a b"}));
  Tokenizer second(std::move(first));
  first = Tokenizer(test_vocabulary({"x y"}));
  EXPECT_EQ(second.encode("abxy"), (Ids{256, 'x', 'y'}));
  EXPECT_EQ(first.encode("abxy"), (Ids{'a', 'b', 256}));
  EXPECT_EQ(second.size(), 257);
  EXPECT_TRUE(second.vocabulary().merges.empty());
}

}  // namespace
}  // namespace ridge
