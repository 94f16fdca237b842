// UTF-8 that may be broken.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ridge {

// What stands at the start of some bytes. A broken sequence is as long as Unicode's "maximal subpart" (The Unicode
// Standard, section 3.9, and Python's decoder): the longest start of a well-formed character, or one byte.
struct Utf8Unit {
  enum class Kind { character, broken, incomplete };  // incomplete: the bytes end inside a well-formed start
  Kind kind;
  std::size_t size;  // bytes, 1 to 4
};

// `bytes` must not be empty.
Utf8Unit utf8_unit(std::string_view bytes);

// How many bytes at the start are whole, well-formed characters.
std::size_t valid_utf8_prefix(std::string_view bytes);

// The text with U+FFFD in place of every broken or incomplete sequence.
std::string replace_broken_utf8(std::string_view bytes);

}  // namespace ridge
