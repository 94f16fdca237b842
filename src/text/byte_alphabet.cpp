#include "text/byte_alphabet.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ridge {
namespace {

struct Spelling {
  std::array<char, 2> bytes;
  unsigned char size;
};

struct Alphabet {
  std::array<Spelling, 256> spellings{};
  std::array<std::int16_t, 256 + 68> bytes{};  // by code point; -1: no character of the alphabet
};

constexpr bool prints_as_latin1(int byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

constexpr Alphabet make_alphabet() {
  Alphabet alphabet;
  alphabet.bytes.fill(-1);
  int others = 0;
  for (int byte = 0; byte < 256; ++byte) {
    const int code_point = prints_as_latin1(byte) ? byte : 256 + others++;
    alphabet.bytes[static_cast<std::size_t>(code_point)] = static_cast<std::int16_t>(byte);
    Spelling& spelling = alphabet.spellings[static_cast<std::size_t>(byte)];
    if (code_point < 0x80) {
      spelling = {{static_cast<char>(code_point), 0}, 1};
    } else {
      spelling = {{static_cast<char>(0xC0 | (code_point >> 6)), static_cast<char>(0x80 | (code_point & 0x3F))}, 2};
    }
  }
  return alphabet;
}

constexpr Alphabet kAlphabet = make_alphabet();

// Takes one character off the front of `spelling`: its byte, or nothing when it is none of the alphabet.
std::optional<char> take_byte(std::string_view& spelling) {
  const auto first = static_cast<unsigned char>(spelling[0]);
  std::size_t code_point = first;
  std::size_t size = 1;
  if (first >= 0x80) {
    if ((first & 0xE0) != 0xC0 || spelling.size() < 2) return std::nullopt;
    const auto second = static_cast<unsigned char>(spelling[1]);
    if ((second & 0xC0) != 0x80) return std::nullopt;
    code_point = (first & std::size_t{0x1F}) << 6 | (second & std::size_t{0x3F});
    size = 2;
  }
  if (code_point >= kAlphabet.bytes.size() || kAlphabet.bytes[code_point] < 0) return std::nullopt;
  spelling.remove_prefix(size);
  return static_cast<char>(kAlphabet.bytes[code_point]);
}

}  // namespace

std::string_view spelled_byte(unsigned char byte) {
  const Spelling& spelling = kAlphabet.spellings[byte];
  return {spelling.bytes.data(), spelling.size};
}

void append_spelled(std::string_view bytes, std::string& out) {
  for (const char byte : bytes) out += spelled_byte(static_cast<unsigned char>(byte));
}

void append_unspelled(std::string_view spelling, std::string& out) {
  const std::size_t before = out.size();
  for (std::string_view rest = spelling; !rest.empty();) {
    const std::optional<char> byte = take_byte(rest);
    if (!byte) {
      out.resize(before);
      out += spelling;
      return;
    }
    out += *byte;
  }
}

}  // namespace ridge
