#include "text/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace ridge {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The size that a first byte promises and the range that it leaves to the second (The Unicode Standard, table 3-7);
// size 0: no character starts so.
struct Lead {
  std::size_t size;
  unsigned char low, high;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xC2 || byte > 0xF4) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {4, 0x80, 0xBF};
}

// Steps over eight ASCII bytes at a time.
std::size_t ascii_prefix(std::string_view bytes) {
  std::size_t at = 0;
  for (std::uint64_t word = 0; at + sizeof(word) <= bytes.size(); at += sizeof(word)) {
    std::memcpy(&word, bytes.data() + at, sizeof(word));
    if ((word & 0x8080808080808080U) != 0) break;
  }
  while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) < 0x80) ++at;
  return at;
}

}  // namespace

Utf8Unit utf8_unit(std::string_view bytes) {
  const Lead lead = lead_of(static_cast<unsigned char>(bytes.front()));
  if (lead.size == 0) return {Utf8Unit::Kind::broken, 1};
  for (std::size_t i = 1; i < lead.size; ++i) {
    if (i == bytes.size()) return {Utf8Unit::Kind::incomplete, i};
    const auto byte = static_cast<unsigned char>(bytes[i]);
    const unsigned char low = i == 1 ? lead.low : 0x80;
    const unsigned char high = i == 1 ? lead.high : 0xBF;
    if (byte < low || byte > high) return {Utf8Unit::Kind::broken, i};
  }
  return {Utf8Unit::Kind::character, lead.size};
}

std::size_t valid_utf8_prefix(std::string_view bytes) {
  std::size_t at = 0;
  while (true) {
    at += ascii_prefix(bytes.substr(at));
    if (at == bytes.size()) return at;
    const Utf8Unit unit = utf8_unit(bytes.substr(at));
    if (unit.kind != Utf8Unit::Kind::character) return at;
    at += unit.size;
  }
}

std::string replace_broken_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (true) {
    const std::size_t valid = valid_utf8_prefix(bytes);
    text += bytes.substr(0, valid);
    bytes.remove_prefix(valid);
    if (bytes.empty()) return text;
    bytes.remove_prefix(utf8_unit(bytes).size);
    text += kReplacement;
  }
}

}  // namespace ridge
