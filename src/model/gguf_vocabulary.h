// The tokenizer that a GGUF file carries.
#pragma once

#include "model/gguf.h"
#include "text/vocabulary.h"

namespace ridge {

// Reads the keys tokenizer.ggml.* and tokenizer.chat_template. Throws Error naming file and key when the file has no
// vocabulary or a key has another type. What the values say is the Tokenizer's to check.
Vocabulary read_vocabulary(const GgufFile& file);

}  // namespace ridge
