#include "model/hyperparameters.h"

#include "core/error.h"
#include "model/gguf.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <utility>

namespace ridge {
namespace {

// GGUF's name for a hyperparameter, and config.json's.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kConfigNames = {{
    {"block_count", "num_hidden_layers"},
    {"context_length", "max_position_embeddings"},
    {"embedding_length", "hidden_size"},
    {"feed_forward_length", "intermediate_size"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.head_count_kv", "num_key_value_heads"},
    {"attention.key_length", "head_dim"},
    {"attention.value_length", "head_dim"},
    {"attention.layer_norm_rms_epsilon", "rms_norm_eps"},
    {"rope.freq_base", "rope_theta"},
    {"vocab_size", "vocab_size"},
}};

}  // namespace

std::int64_t Hyperparameters::integer_in(std::string_view key, std::int64_t least, std::int64_t most) const {
  const auto value = integer(key);
  require(value.has_value(), "{}: hyperparameter {} is missing", file(), key);
  require(*value >= least && *value <= most, "{}: {} must be from {} to {}, got {}", file(), key, least, most, *value);
  return *value;
}

double Hyperparameters::positive_real(std::string_view key) const {
  const auto value = real(key);
  require(value.has_value(), "{}: hyperparameter {} is missing", file(), key);
  require(std::isfinite(*value) && *value > 0, "{}: {} must be positive, got {}", file(), key, *value);
  return *value;
}

GgufHyperparameters::GgufHyperparameters(const GgufFile& file)
    : file_(file), architecture_(file.at<std::string_view>("general.architecture")) {}

std::optional<std::int64_t> GgufHyperparameters::integer(std::string_view key) const {
  return file_.get<std::int64_t>(fmt::format("{}.{}", architecture_, key));
}

std::optional<double> GgufHyperparameters::real(std::string_view key) const {
  const auto value = file_.get<float>(fmt::format("{}.{}", architecture_, key));
  return value ? std::optional<double>(*value) : std::nullopt;
}

std::string GgufHyperparameters::file() const {
  return file_.name();
}

std::string GgufHyperparameters::model_name() const {
  return std::string(file_.get<std::string_view>("general.name").value_or(""));
}

bool GgufHyperparameters::tied_embedding() const {
  return file_.find_tensor("output.weight") == nullptr;
}

ConfigHyperparameters::ConfigHyperparameters(const Json& config, std::string file)
    : config_(std::make_unique<Json>(config)), file_(std::move(file)) {
  require(config.is_object(), "{}: must be a JSON object, got {}", file_, config.type_name());
}

ConfigHyperparameters::~ConfigHyperparameters() = default;

const Json* ConfigHyperparameters::find(std::string_view key) const {
  for (const auto& [ours, theirs] : kConfigNames) {
    if (ours != key) continue;
    const auto found = config_->find(theirs);
    return found == config_->end() || found->is_null() ? nullptr : &*found;
  }
  return nullptr;
}

std::optional<std::int64_t> ConfigHyperparameters::integer(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  require(value->is_number_integer(), "{}: {} must be a whole number, got {}", file_, key, value->dump());
  return value->get<std::int64_t>();
}

std::optional<double> ConfigHyperparameters::real(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  require(value->is_number(), "{}: {} must be a number, got {}", file_, key, value->dump());
  return value->get<double>();
}

std::string ConfigHyperparameters::architecture() const {
  const auto found = config_->find("model_type");
  require(found != config_->end() && found->is_string(), "{}: model_type is missing", file_);
  return found->get<std::string>();
}

std::string ConfigHyperparameters::model_name() const {
  const auto found = config_->find("_name_or_path");
  return found != config_->end() && found->is_string() ? found->get<std::string>() : file_;
}

bool ConfigHyperparameters::tied_embedding() const {
  const auto found = config_->find("tie_word_embeddings");
  return found != config_->end() && found->is_boolean() && found->get<bool>();
}

}  // namespace ridge
