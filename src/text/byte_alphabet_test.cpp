#include "text/byte_alphabet.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace ridge {
namespace {

std::string unspelled(std::string_view spelling) {
  std::string bytes = "before";
  append_unspelled(spelling, bytes);
  return bytes.substr(6);
}

TEST(ByteAlphabet, EveryByteHasACharacterOfItsOwn) {
  std::set<std::string_view> seen;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string_view spelling = spelled_byte(static_cast<unsigned char>(byte));
    EXPECT_TRUE(seen.insert(spelling).second) << byte;
    EXPECT_EQ(unspelled(spelling), std::string(1, static_cast<char>(byte)));
  }
}

TEST(ByteAlphabet, IsThatOfGpt2) {
  std::string spelling;
  append_spelled("Hi\n\t !~\x7F\xA0\xAD\xC3\xA9", spelling);
  EXPECT_EQ(spelling, "Hi\u010A\u0109\u0120!~\u0121\u0142\u0143\u00C3\u00A9");
}

TEST(ByteAlphabet, SpellingsWithOtherCharactersStandForThemselves) {
  for (const std::string spelling :
       {"a b", "\u2581a", "\u0144", "\u00AD", "\u07FF", "a\n", "\U0001F600", "\xC4", "a\xFF", "\xC4z", "\x80"}) {
    EXPECT_EQ(unspelled(spelling), spelling);
  }
  EXPECT_EQ(unspelled("\u0143"), "\xAD");
  EXPECT_EQ(unspelled(""), "");
}

}  // namespace
}  // namespace ridge
