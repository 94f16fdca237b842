#include "text/stream_decoder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "text/test_vocabulary.h"
#include "text/utf8.h"

namespace ridge {
namespace {

// Tokens 0 to 255 are the bytes.
std::vector<std::string> stream(const Tokenizer& tokenizer, std::string_view bytes) {
  StreamDecoder decoder(tokenizer);
  std::vector<std::string> parts;
  for (const char byte : bytes) parts.push_back(decoder.push(static_cast<unsigned char>(byte)));
  parts.push_back(decoder.finish());
  return parts;
}

std::string whole(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

using Parts = std::vector<std::string>;

TEST(StreamDecoder, CharactersComeWhole) {
  const Tokenizer tokenizer(test_vocabulary({"a b"}));
  EXPECT_EQ(stream(tokenizer, "a\u00E9"), (Parts{"a", "", "\u00E9", ""}));
  EXPECT_EQ(stream(tokenizer, "\U0001F600z"), (Parts{"", "", "", "\U0001F600", "z", ""}));
}

TEST(StreamDecoder, WhatCannotBecomeACharacterIsReplacedAtOnce) {
  const Tokenizer tokenizer(test_vocabulary({"a b"}));
  EXPECT_EQ(stream(tokenizer, "\x80z"), (Parts{"\uFFFD", "z", ""}));
  EXPECT_EQ(stream(tokenizer, "\xE2\x82z"), (Parts{"", "", "\uFFFDz", ""}));
  EXPECT_EQ(stream(tokenizer, "\xF0\x9F\xE2\x82\xAC"), (Parts{"", "", "\uFFFD", "", "\u20AC", ""}));
  EXPECT_EQ(stream(tokenizer, "\xE2\x82"), (Parts{"", "", "\uFFFD"}));
}

// All of three bytes, from those where the rules of UTF-8 change.
TEST(StreamDecoder, JoinedPartsAreTheDecodedWhole) {
  const Tokenizer tokenizer(test_vocabulary({"a b"}));
  const std::string edges = "a\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC2\xDF\xE0\xE1\xED\xEF\xF0\xF3\xF4\xF5\xFF";
  for (const char first : edges) {
    for (const char second : edges) {
      for (const char third : edges) {
        const std::string bytes{first, second, third, '\x80', 'b'};
        const std::string text = whole(stream(tokenizer, bytes));
        ASSERT_EQ(text, replace_broken_utf8(bytes));
        ASSERT_EQ(valid_utf8_prefix(text), text.size());
      }
    }
  }
}

TEST(StreamDecoder, ControlTokensAreSkippedOnlyWhenAskedTo) {
  Vocabulary vocabulary = test_vocabulary({"a b"});
  const std::int32_t end = add_token(vocabulary, "<end>", TokenType::control);
  const Tokenizer tokenizer(vocabulary);
  StreamDecoder skipping(tokenizer);
  StreamDecoder showing(tokenizer, false);
  EXPECT_EQ(skipping.push(0xC3), "");
  EXPECT_EQ(skipping.push(end), "");
  EXPECT_EQ(skipping.push(0xA9), "\u00E9");
  EXPECT_EQ(showing.push(end), "<end>");
  EXPECT_THROW((void)skipping.push(end + 1), Error);
  EXPECT_THROW((void)skipping.push(-1), Error);
}

TEST(StreamDecoder, MayBeUsedAgainAfterTheEnd) {
  const Tokenizer tokenizer(test_vocabulary({"a b"}));
  StreamDecoder decoder(tokenizer);
  EXPECT_EQ(decoder.push(0xE2), "");
  EXPECT_EQ(decoder.finish(), "\uFFFD");
  EXPECT_EQ(decoder.push(256), "ab");
  EXPECT_EQ(decoder.finish(), "");
}

}  // namespace
}  // namespace ridge
