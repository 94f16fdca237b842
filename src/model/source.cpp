#include "model/source.h"

#include "core/error.h"
#include "core/file.h"
#include "core/json.h"
#include "model/families.h"
#include "model/gguf.h"

#include <nlohmann/json.hpp>

#include <cstring>
#include <string_view>

namespace ridge {
namespace {

class GgufSource final : public ModelSource {
 public:
  GgufSource(GgufFile file, GgufPart part)
      : file_(std::move(file)), config_(read_config(GgufHyperparameters(file_))), part_(part) {}

  [[nodiscard]] const std::string& name() const override { return file_.name(); }
  [[nodiscard]] const ModelConfig& config() const override { return config_; }
  [[nodiscard]] bool has_weights() const override { return part_ == GgufPart::whole; }
  [[nodiscard]] const GgufFile& file() const { return file_; }

  [[nodiscard]] std::optional<StoredTensor> find(const std::string& name) const override {
    const GgufTensor* tensor = file_.find_tensor(name);
    if (tensor == nullptr) return std::nullopt;
    return StoredTensor{file_.require_format(*tensor), tensor->shape, tensor->data};
  }

  [[nodiscard]] std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const GgufTensor& tensor : file_.tensors()) names.push_back(tensor.name);
    return names;
  }

  void release(const std::string& name) const override { file_.release(file_.at_tensor(name)); }

 private:
  GgufFile file_;
  ModelConfig config_;
  GgufPart part_;
};

// Tensors without bytes, of whatever shape is asked for: the loader checks names and shapes against the configuration,
// which is all there is here.
class ConfigSource final : public ModelSource {
 public:
  ConfigSource(const std::string& path, Format type)
      : name_(path), type_(type), config_(read_config(ConfigHyperparameters(read_json(path), path))) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const ModelConfig& config() const override { return config_; }
  [[nodiscard]] bool has_weights() const override { return false; }
  [[nodiscard]] std::optional<StoredTensor> find(const std::string& /*name*/) const override {
    return StoredTensor{type_, {}, {}};
  }
  [[nodiscard]] std::vector<std::string> names() const override { return {}; }
  void release(const std::string& /*name*/) const override {}

 private:
  std::string name_;
  Format type_;
  ModelConfig config_;
};

bool is_gguf(const std::string& path) {
  constexpr std::string_view kMagic = "GGUF";
  const MappedFile file(path);
  const std::span<const std::byte> bytes = file.bytes();
  return bytes.size() >= kMagic.size() && std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

}  // namespace

std::unique_ptr<ModelSource> open_weights(const std::string& path) {
  return std::make_unique<GgufSource>(GgufFile::open(path), GgufPart::whole);
}

std::unique_ptr<ModelSource> open_sizes(const std::string& path, std::optional<Format> type) {
  if (is_gguf(path)) {
    require(!type, "{}: a GGUF file says its own types; a type can be given for a config.json only", path);
    return std::make_unique<GgufSource>(GgufFile::open_header(path), GgufPart::header);
  }
  require(path.ends_with(".json"), "{}: neither a GGUF file (its magic \"GGUF\" is missing) nor a config.json", path);
  return std::make_unique<ConfigSource>(path, type.value_or(Format::bf16));
}

const GgufFile* gguf_of(const ModelSource& source) {
  const auto* gguf = dynamic_cast<const GgufSource*>(&source);
  return gguf == nullptr ? nullptr : &gguf->file();
}

}  // namespace ridge
