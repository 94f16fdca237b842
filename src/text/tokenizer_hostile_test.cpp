// Vocabularies that contradict themselves: one clear line each.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "core/error.h"
#include "text/test_vocabulary.h"
#include "text/tokenizer.h"

namespace ridge {
namespace {

std::string error_of(const std::function<void(Vocabulary&)>& spoil) {
  Vocabulary vocabulary = test_vocabulary({"a b", "ab c"});
  spoil(vocabulary);
  try {
    const Tokenizer tokenizer(std::move(vocabulary));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TokenizerHostile, AnUnspoiltVocabularyIsTaken) {
  EXPECT_EQ(error_of([](Vocabulary&) {}), "");
  EXPECT_EQ(error_of([](Vocabulary& v) { v.types.clear(); }), "");
}

TEST(TokenizerHostile, UnknownKindsAreNamed) {
  EXPECT_EQ(error_of([](Vocabulary& v) { v.model = "llama"; }), "tokenizer: unknown model \"llama\", known is gpt2");
  EXPECT_EQ(error_of([](Vocabulary& v) { v.pre = "no\nsuch"; }), "tokenizer: unknown pre-tokenizer \"no\\nsuch\"");
  EXPECT_EQ(error_of([](Vocabulary& v) { v.types[7] = static_cast<TokenType>(9); }),
            "tokenizer: a token's type must be 1 to 6, got 9 for token 7");
}

TEST(TokenizerHostile, ListsMustAgree) {
  EXPECT_EQ(error_of([](Vocabulary& v) { v.tokens.clear(); }),
            "tokenizer: a vocabulary must have 1 to 2^31 - 1 tokens, got 0");
  EXPECT_EQ(error_of([](Vocabulary& v) { v.types.pop_back(); }),
            "tokenizer: there must be a type for each of 258 tokens, got 257");
  EXPECT_EQ(error_of([](Vocabulary& v) { v.scores = {1.0F}; }),
            "tokenizer: there must be a score for each of 258 tokens, got 1");
}

TEST(TokenizerHostile, IdsMustBeTokens) {
  EXPECT_EQ(error_of([](Vocabulary& v) { v.bos = -1; }), "tokenizer: the BOS token must be one of 258 tokens, got -1");
  EXPECT_EQ(error_of([](Vocabulary& v) { v.eot = 258; }),
            "tokenizer: the EOT token must be one of 258 tokens, got 258");
}

TEST(TokenizerHostile, TokensMustDifferAndCoverAscii) {
  EXPECT_EQ(error_of([](Vocabulary& v) { v.tokens[200] = v.tokens['a']; }),
            "tokenizer: tokens 97 and 200 are both spelled \"a\"");
  EXPECT_EQ(
      error_of([](Vocabulary& v) { v.tokens['Q'] += 'Q'; }),
      "tokenizer: a byte-level vocabulary must have a token for every printable ASCII character, none is spelled Q");
}

TEST(TokenizerHostile, MergesMustJoinTokensToTokens) {
  EXPECT_EQ(error_of([](Vocabulary& v) { v.merges.clear(); }),
            "tokenizer: a byte-level vocabulary must have merges, got none");
  for (const std::string merge : {"ab", "", "a b c", "a  b", " a", "a ", " "}) {
    EXPECT_EQ(error_of([&](Vocabulary& v) { v.merges[1] = merge; }),
              fmt::format("tokenizer: merge 1 must be two tokens with one space between, got \"{}\"", merge));
  }
  for (const std::string merge : {"x y", "xx a", "a xx"}) {
    EXPECT_EQ(error_of([&](Vocabulary& v) { v.merges[1] = merge; }),
              fmt::format("tokenizer: merge 1 names no token: \"{}\"", merge));
  }
  EXPECT_EQ(error_of([](Vocabulary& v) { v.merges[1] = "a b"; }), "tokenizer: merges 0 and 1 are both \"a b\"");
}

TEST(TokenizerHostile, IdsOutsideTheVocabularyAreErrors) {
  const Tokenizer tokenizer(test_vocabulary({"a b"}));
  EXPECT_THROW((void)tokenizer.piece(257), Error);
  EXPECT_THROW((void)tokenizer.piece(-1), Error);
  EXPECT_THROW((void)tokenizer.printable_piece(1 << 30), Error);
  EXPECT_THROW((void)tokenizer.decode(std::vector<std::int32_t>{'a', 300}), Error);
}

// Long and unprintable spellings do not spill into the message.
TEST(TokenizerHostile, SpellingsInErrorsAreCutAndEscaped) {
  const std::string error = error_of([](Vocabulary& v) { v.merges[1] = fmt::format("{:\x01>100000} b", ""); });
  EXPECT_LT(error.size(), 500U);
  EXPECT_EQ(error.find('\x01'), std::string::npos);
}

}  // namespace
}  // namespace ridge
