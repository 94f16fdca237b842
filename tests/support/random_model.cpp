#include "support/random_model.h"

#include "core/rng.h"
#include "model/tensor_table.h"

#include <cmath>
#include <map>

namespace ridge {
namespace {

class RandomSource final : public ModelSource {
 public:
  RandomSource(const RandomModelOptions& options, bool with_weights) : options_(options), with_weights_(with_weights) {
    DecoderWeights places;
    std::uint64_t stream = 0;
    for (const WantedTensor& want : wanted_tensors(options.config, places)) make(want, ++stream);
  }

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const ModelConfig& config() const override { return options_.config; }
  [[nodiscard]] bool has_weights() const override { return with_weights_; }
  [[nodiscard]] std::optional<StoredTensor> find(const std::string& name) const override {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) return std::nullopt;
    return StoredTensor{found->second.format, found->second.shape, found->second.bytes};
  }
  [[nodiscard]] std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : tensors_) names.push_back(name);
    return names;
  }
  void release(const std::string& /*name*/) const override {}

 private:
  struct Stored {
    Format format = Format::f32;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;
  };

  // Norms lie around 1; matrices keep the scale of what passes through them.
  void make(const WantedTensor& want, std::uint64_t stream) {
    Stored& tensor = tensors_[want.name];
    const bool is_matrix = want.matrix != nullptr;
    tensor.shape = want.shape;
    if (is_matrix) tensor.format = want.name == "token_embd.weight" ? options_.embedding : options_.matrices;
    if (!with_weights_) return;
    const std::int64_t columns = want.shape.back();
    const std::int64_t rows = is_matrix ? want.shape[0] : 1;
    const auto bytes_of_row = static_cast<std::size_t>(row_bytes(tensor.format, columns));
    tensor.bytes.resize(bytes_of_row * static_cast<std::size_t>(rows));
    PhiloxStream random(options_.seed, stream);
    std::vector<float> row(static_cast<std::size_t>(columns));
    const float scale = is_matrix ? 1.5F / std::sqrt(static_cast<float>(columns)) : 0.1F;
    for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r) {
      for (float& value : row) value = random.normal() * scale + (is_matrix ? 0.0F : 1.0F);
      encode_row(tensor.format, row, std::span(tensor.bytes).subspan(r * bytes_of_row, bytes_of_row));
    }
  }

  std::string name_ = "random model";
  RandomModelOptions options_;
  bool with_weights_;
  std::map<std::string, Stored> tensors_;
};

}  // namespace

ModelConfig small_config() {
  ModelConfig config;
  config.architecture = "llama";
  config.name = "random";
  config.layers = 2;
  config.channels = 96;
  config.heads = 6;
  config.kv_heads = 2;
  config.head_size = 16;
  config.feed_forward = 160;
  config.vocabulary = 331;
  config.context = 320;
  config.norm_eps = 1e-5F;
  config.rope_theta = 10000;
  config.rope_size = 16;
  config.tied_embedding = true;
  return config;
}

Model random_model(const Exec& exec, const RandomModelOptions& options) {
  return load_model(exec, RandomSource(options, !exec.on_paper()));
}

}  // namespace ridge
