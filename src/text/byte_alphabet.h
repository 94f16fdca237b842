// The alphabet in which byte-level vocabularies are spelled (GPT-2's bytes_to_unicode): every byte is one visible
// character. Bytes that print as Latin-1 are themselves; the other 68 are U+0100 and up, in order, so a space is
// U+0120.
#pragma once

#include <string>
#include <string_view>

namespace ridge {

// The character that stands for a byte, in UTF-8.
std::string_view spelled_byte(unsigned char byte);

void append_spelled(std::string_view bytes, std::string& out);

// Appends the bytes that `spelling` stands for, or `spelling` itself where one of its characters is none of the
// alphabet.
void append_unspelled(std::string_view spelling, std::string& out);

}  // namespace ridge
