#include "model/model.h"

#include "core/error.h"
#include "model/tensor_table.h"
#include "ops/linear/pack.h"

#include <cmath>

namespace ridge {
namespace {

Format stored_format(const WantedTensor& want, const StoredTensor& stored, const LoadOptions& options) {
  return want.vector != nullptr || options.as_f32 ? Format::f32 : stored.format;
}

std::size_t rounded_bytes(const WantedTensor& want, const StoredTensor& stored, const LoadOptions& options) {
  if (want.vector != nullptr) return static_cast<std::size_t>(want.shape[0]) * 4;
  return packed_bytes(stored_format(want, stored, options), want.shape[0], want.shape[1]);
}

// The rows of a stored matrix as floats.
std::vector<std::byte> decode(const StoredTensor& stored, std::int64_t rows, std::int64_t columns) {
  std::vector<std::byte> out(static_cast<std::size_t>(rows * columns) * 4);
  const auto stored_row = static_cast<std::size_t>(row_bytes(stored.format, columns));
  for (std::int64_t row = 0; row < rows; ++row) {
    auto* to = reinterpret_cast<float*>(out.data()) + row * columns;
    decode_row(stored.format, stored.bytes.subspan(static_cast<std::size_t>(row) * stored_row, stored_row),
               {to, static_cast<std::size_t>(columns)});
  }
  return out;
}

Weight load_matrix(const Exec& exec, const WantedTensor& want, const StoredTensor& stored, const LoadOptions& options) {
  const Format format = stored_format(want, stored, options);
  if (exec.on_paper() || format == stored.format)
    return pack_weight(exec, format, want.shape[0], want.shape[1], stored.bytes);
  return pack_weight(exec, format, want.shape[0], want.shape[1], decode(stored, want.shape[0], want.shape[1]));
}

Tensor load_vector(const Exec& exec, const WantedTensor& want, const StoredTensor& stored) {
  Tensor vector = exec.empty({want.shape[0]}, DType::f32, MemoryKind::weights);
  if (exec.on_paper()) return vector;
  decode_row(stored.format, stored.bytes, {vector.data<float>(), static_cast<std::size_t>(want.shape[0])});
  return vector;
}

std::vector<float> rope_frequencies(const ModelConfig& config) {
  std::vector<float> frequencies;
  for (std::int64_t i = 0; i < config.rope_size / 2; ++i) {
    const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(config.rope_size);
    frequencies.push_back(static_cast<float>(std::pow(config.rope_theta, exponent)));
  }
  return frequencies;
}

// The vocabulary is what the token embedding says; where the hyperparameters say it too, they must agree.
ModelConfig with_vocabulary(const ModelSource& source) {
  ModelConfig config = source.config();
  const auto embedding = source.find("token_embd.weight");
  if (config.vocabulary == 0 && embedding && embedding->shape.size() == 2) config.vocabulary = embedding->shape[0];
  require(config.vocabulary > 0, "{}: neither vocab_size nor token_embd.weight says the vocabulary", source.name());
  return config;
}

void require_memory(const Exec& exec, const ModelSource& source, std::size_t bytes) {
  if (exec.on_paper()) return;
  require(source.has_weights(), "{}: has no weights, only sizes", source.name());
  const std::size_t available = available_memory_bytes();
  require(bytes <= available, "{}: its weights need {} bytes of memory, {} are free", source.name(), bytes, available);
}

}  // namespace

Model load_model(const Exec& exec, const ModelSource& source, const LoadOptions& options) {
  Model model;
  model.config = with_vocabulary(source);
  const std::vector<WantedTensor> wanted = wanted_tensors(model.config, model.weights);
  check_tensors(source, wanted);
  const std::size_t total = weight_bytes(source, options);
  require_memory(exec, source, total);
  std::size_t done = 0;
  for (const WantedTensor& want : wanted) {
    const StoredTensor stored = *source.find(want.name);
    if (want.matrix != nullptr) {
      *want.matrix = load_matrix(exec, want, stored, options);
    } else {
      *want.vector = load_vector(exec, want, stored);
    }
    if (source.has_weights()) source.release(want.name);
    done += rounded_bytes(want, stored, options);
    if (options.progress) options.progress(static_cast<double>(done) / static_cast<double>(total));
  }
  if (model.config.tied_embedding) model.weights.output = model.weights.token_embedding;
  model.weights.rope_frequencies = rope_frequencies(model.config);
  return model;
}

std::size_t weight_bytes(const ModelSource& source, const LoadOptions& options) {
  DecoderWeights places;
  const std::vector<WantedTensor> wanted = wanted_tensors(with_vocabulary(source), places);
  check_tensors(source, wanted);
  std::size_t bytes = 0;
  for (const WantedTensor& want : wanted) bytes += rounded_bytes(want, *source.find(want.name), options);
  return bytes;
}

std::int64_t parameter_count(const ModelSource& source) {
  DecoderWeights places;
  std::int64_t count = 0;
  for (const WantedTensor& want : wanted_tensors(with_vocabulary(source), places)) {
    std::int64_t elements = 1;
    for (const std::int64_t size : want.shape) elements *= size;
    count += elements;
  }
  return count;
}

}  // namespace ridge
