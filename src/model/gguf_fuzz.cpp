// libFuzzer: any bytes are a GGUF file of which everything can be read, or give one Error.
// Covers: src/model/gguf.cpp src/model/gguf_c*.* src/model/gguf_value.cpp src/model/gguf_vocabulary.cpp
#include "core/error.h"
#include "formats/format.h"
#include "model/gguf.h"
#include "model/gguf_vocabulary.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ridge {
namespace {

void read_values(const GgufFile& file) {
  for (const GgufEntry& entry : file.entries()) {
    (void)file.find(entry.key);
    (void)entry.value.describe();
    (void)entry.value.to_text(8);
    (void)entry.value.as<std::int32_t>();
    (void)entry.value.as<float>();
    (void)entry.value.as_array<std::uint32_t>();
  }
}

void read_tensors(const GgufFile& file) {
  for (const GgufTensor& tensor : file.tensors()) {
    const GgufTensor& found = file.at_tensor(tensor.name);
    const auto row = static_cast<std::size_t>(row_bytes(file.require_format(found), found.shape.back()));
    if (found.data.empty()) continue;
    std::vector<float> weights(static_cast<std::size_t>(found.shape.back()));
    decode_row(*found.format, found.data.last(row), weights);
    file.release(found);
  }
}

void read(std::span<const std::byte> bytes, GgufPart part) {
  try {
    const GgufFile file = GgufFile::from_bytes(bytes, "fuzz", part);
    read_values(file);
    (void)file.find_tensor("none");
    if (file.tensors().empty()) (void)read_vocabulary(file);
    read_tensors(file);
  } catch (const Error&) {
  }
}

}  // namespace
}  // namespace ridge

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  ridge::read(bytes, ridge::GgufPart::whole);
  ridge::read(bytes, ridge::GgufPart::header);
  return 0;
}
