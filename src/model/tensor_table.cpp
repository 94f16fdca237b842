#include "model/tensor_table.h"

#include "core/error.h"

#include <fmt/ranges.h>

#include <unordered_set>

namespace ridge {
namespace {

// Tensors that some files carry and no forward needs.
constexpr std::string_view kIgnored[] = {"rope_freqs.weight"};

bool ignored(const std::string& name) {
  for (const std::string_view one : kIgnored) {
    if (name == one) return true;
  }
  return false;
}

}  // namespace

std::vector<WantedTensor> wanted_tensors(const ModelConfig& config, DecoderWeights& weights) {
  const std::int64_t C = config.channels;
  const std::int64_t F = config.feed_forward;
  const std::int64_t q_rows = config.heads * config.head_size;
  const std::int64_t kv_rows = config.kv_heads * config.head_size;
  weights.layers.resize(static_cast<std::size_t>(config.layers));
  std::vector<WantedTensor> wanted;
  const auto matrix = [&](std::string name, std::int64_t n, std::int64_t k, Weight& to) {
    wanted.push_back({std::move(name), {n, k}, &to, nullptr});
  };
  const auto vector = [&](std::string name, std::int64_t n, Tensor& to) {
    wanted.push_back({std::move(name), {n}, nullptr, &to});
  };
  matrix("token_embd.weight", config.vocabulary, C, weights.token_embedding);
  for (std::size_t l = 0; l < weights.layers.size(); ++l) {
    LayerWeights& layer = weights.layers[l];
    const auto named = [l](const char* part) { return fmt::format("blk.{}.{}.weight", l, part); };
    vector(named("attn_norm"), C, layer.attention_norm);
    matrix(named("attn_q"), q_rows, C, layer.query);
    matrix(named("attn_k"), kv_rows, C, layer.key);
    matrix(named("attn_v"), kv_rows, C, layer.value);
    matrix(named("attn_output"), C, q_rows, layer.attention_output);
    vector(named("ffn_norm"), C, layer.feed_forward_norm);
    matrix(named("ffn_gate"), F, C, layer.gate);
    matrix(named("ffn_up"), F, C, layer.up);
    matrix(named("ffn_down"), C, F, layer.down);
  }
  vector("output_norm.weight", C, weights.output_norm);
  if (!config.tied_embedding) matrix("output.weight", config.vocabulary, C, weights.output);
  return wanted;
}

void check_tensors(const ModelSource& source, const std::vector<WantedTensor>& wanted) {
  std::vector<std::string> faults;
  std::unordered_set<std::string> known;
  for (const WantedTensor& want : wanted) {
    known.insert(want.name);
    const auto stored = source.find(want.name);
    if (!stored) {
      faults.push_back(want.name + " is missing");
    } else if (!stored->shape.empty() && stored->shape != want.shape) {
      faults.push_back(fmt::format("{} must be [{}] by the hyperparameters, is [{}]", want.name,
                                   fmt::join(want.shape, ", "), fmt::join(stored->shape, ", ")));
    }
  }
  for (const std::string& name : source.names()) {
    if (!known.contains(name) && !ignored(name)) faults.push_back(name + " is not a tensor of this architecture");
  }
  if (faults.empty()) return;
  constexpr std::size_t kMostListed = 20;
  const std::size_t listed = std::min(faults.size(), kMostListed);
  fail("{}: {} tensors do not fit architecture \"{}\": {}{}", source.name(), faults.size(),
       source.config().architecture,
       fmt::join(faults.begin(), faults.begin() + static_cast<std::ptrdiff_t>(listed), "; "),
       faults.size() > listed ? "; …" : "");
}

}  // namespace ridge
