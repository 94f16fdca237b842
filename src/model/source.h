// Where a model's tensors come from: a GGUF file, its header alone, or nothing but a configuration.
#pragma once

#include "formats/format.h"
#include "model/config.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ridge {

// A tensor as a file holds it.
struct StoredTensor {
  Format format = Format::f32;
  std::vector<std::int64_t> shape;   // outermost first
  std::span<const std::byte> bytes;  // empty where the source has no weights
};

class ModelSource {
 public:
  virtual ~ModelSource() = default;

  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual const ModelConfig& config() const = 0;
  // False: sizes only, good for a virtual device.
  [[nodiscard]] virtual bool has_weights() const = 0;

  // None when there is no such tensor. Throws Error naming a type that is not supported.
  [[nodiscard]] virtual std::optional<StoredTensor> find(const std::string& name) const = 0;
  // All names, in the order of the file; empty where the source makes tensors up.
  [[nodiscard]] virtual std::vector<std::string> names() const = 0;
  // Gives a tensor's pages back to the kernel.
  virtual void release(const std::string& name) const = 0;
};

// A GGUF file with all its tensors.
std::unique_ptr<ModelSource> open_weights(const std::string& path);

// Sizes only: a GGUF file, which may end after its header, or a config.json whose matrices are taken to be of `type`
// (BF16 if none is given) and its norms f32. `type` is an error for a GGUF file, which says its own. Throws Error for
// anything else.
std::unique_ptr<ModelSource> open_sizes(const std::string& path, std::optional<Format> type = std::nullopt);

class GgufFile;

// The GGUF file behind a source, for what only it has (tokenizer, metadata); null for a config.json.
const GgufFile* gguf_of(const ModelSource& source);

}  // namespace ridge
