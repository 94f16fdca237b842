#include "model/families.h"

#include "core/error.h"

#include <fmt/ranges.h>

#include <vector>

namespace ridge {
namespace {

// Beyond these no model is; they keep products of sizes within 63 bits.
constexpr std::int64_t kMostLayers = 1024;
constexpr std::int64_t kMostChannels = 1 << 20;
constexpr std::int64_t kMostVocabulary = 1 << 24;
constexpr std::int64_t kMostContext = std::int64_t{1} << 30;

// What every decoder has.
ModelConfig common(const Hyperparameters& file) {
  ModelConfig config;
  config.architecture = file.architecture();
  config.name = file.model_name();
  config.layers = file.integer_in("block_count", 1, kMostLayers);
  config.channels = file.integer_in("embedding_length", 1, kMostChannels);
  config.feed_forward = file.integer_in("feed_forward_length", 1, kMostChannels);
  config.context = file.integer_in("context_length", 1, kMostContext);
  config.heads = file.integer_in("attention.head_count", 1, kMostChannels);
  config.kv_heads = file.integer("attention.head_count_kv")
                        ? file.integer_in("attention.head_count_kv", 1, config.heads)
                        : config.heads;
  require(config.heads % config.kv_heads == 0,
          "{}: attention.head_count {} is no multiple of attention.head_count_kv {}", file.file(), config.heads,
          config.kv_heads);
  if (file.integer("attention.key_length")) {
    config.head_size = file.integer_in("attention.key_length", 1, kMostChannels);
  } else {
    require(config.channels % config.heads == 0, "{}: embedding_length {} is no multiple of attention.head_count {}",
            file.file(), config.channels, config.heads);
    config.head_size = config.channels / config.heads;
  }
  const std::int64_t value_size = file.integer("attention.value_length").value_or(config.head_size);
  require(value_size == config.head_size, "{}: attention.value_length {} differs from the key length {}", file.file(),
          value_size, config.head_size);
  // 0: the file does not say; the token embedding does (load_model).
  config.vocabulary = file.integer("vocab_size") ? file.integer_in("vocab_size", 1, kMostVocabulary) : 0;
  config.tied_embedding = file.tied_embedding();
  return config;
}

// Llama, SmolLM2, Mistral: RMS norms, rotary positions, grouped queries, SwiGLU.
ModelConfig llama(const Hyperparameters& file) {
  ModelConfig config = common(file);
  config.norm_eps = static_cast<float>(file.positive_real("attention.layer_norm_rms_epsilon"));
  config.rope_theta = file.real("rope.freq_base") ? file.positive_real("rope.freq_base") : 10000.0;
  config.rope_pairs = file.neighbouring_rope_pairs() ? RopePairs::neighbours : RopePairs::halves;
  config.rope_size = file.integer("rope.dimension_count") ? file.integer_in("rope.dimension_count", 2, config.head_size)
                                                          : config.head_size;
  require(config.rope_size % 2 == 0, "{}: rope.dimension_count must be even, got {}", file.file(), config.rope_size);
  return config;
}

struct Family {
  std::string_view architecture;  // GGUF's general.architecture and config.json's model_type
  ModelConfig (*read)(const Hyperparameters& file);
};

constexpr Family kFamilies[] = {
    {"llama", llama},
};

}  // namespace

ModelConfig read_config(const Hyperparameters& file) {
  const std::string architecture = file.architecture();
  std::vector<std::string_view> known;
  for (const Family& family : kFamilies) {
    if (family.architecture == architecture) return family.read(file);
    known.push_back(family.architecture);
  }
  fail("{}: architecture \"{}\" is not supported; supported: {}", file.file(), architecture, fmt::join(known, ", "));
}

}  // namespace ridge
