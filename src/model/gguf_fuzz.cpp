// libFuzzer: any bytes are a GGUF file that reads back whole, or one Error.
#include "core/error.h"
#include "model/gguf.h"
#include "model/gguf_vocabulary.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace {

void read(std::span<const std::byte> bytes, ridge::GgufPart part) {
  try {
    const ridge::GgufFile file = ridge::GgufFile::from_bytes(bytes, "fuzz", part);
    for (const ridge::GgufEntry& entry : file.entries()) {
      (void)file.find(entry.key);
      (void)entry.value.to_text(8);
      (void)entry.value.as_array<float>();
    }
    unsigned sum = 0;
    for (const ridge::GgufTensor& tensor : file.tensors()) {
      for (const std::byte byte : tensor.data) sum += std::to_integer<unsigned>(byte);
    }
    static volatile unsigned sink = 0;
    sink = sum;
    ridge::read_vocabulary(file);
  } catch (const ridge::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  read(bytes, ridge::GgufPart::whole);
  read(bytes, ridge::GgufPart::header);
  return 0;
}
