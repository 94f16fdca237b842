// ridge inspect: what a model file holds.
#include "common.h"
#include "core/error.h"
#include "formats/ggml_types.h"
#include "model/gguf.h"
#include "model/model.h"
#include "verb.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <fmt/ranges.h>

#include <memory>

namespace ridge::app {
namespace {

struct InspectFlags {
  std::string model;
  bool json = false;
};

std::string type_name(const GgufTensor& tensor) {
  return tensor.format ? std::string(format_name(*tensor.format)) : ggml_type_name(tensor.ggml_type);
}

Json describe_tensors(const GgufFile& file) {
  Json tensors = Json::array();
  for (const GgufTensor& tensor : file.tensors()) {
    tensors.push_back(
        {{"name", tensor.name}, {"type", type_name(tensor)}, {"shape", tensor.shape}, {"bytes", tensor.bytes}});
  }
  return tensors;
}

// The configuration of a family that we run; a file of another family still has tensors and metadata to show.
Json describe_config(const std::string& path) {
  try {
    const auto source = open_sizes(path);
    const ModelConfig& config = source->config();
    return {{"layers", config.layers},
            {"channels", config.channels},
            {"heads", config.heads},
            {"kv_heads", config.kv_heads},
            {"head_size", config.head_size},
            {"feed_forward", config.feed_forward},
            {"context", config.context},
            {"parameters", parameter_count(*source)},
            {"kv_bytes_per_token",
             {{"f16", config.kv_bytes_per_token(DType::f16)}, {"f32", config.kv_bytes_per_token(DType::f32)}}}};
  } catch (const Error& error) {
    return {{"unsupported", error.what()}};
  }
}

Json describe(const std::string& path) {
  const GgufFile file = GgufFile::open_header(path);
  const auto text = [&](const char* key) { return std::string(file.get<std::string_view>(key).value_or("")); };
  std::uint64_t bytes = 0;
  for (const GgufTensor& tensor : file.tensors()) bytes += tensor.bytes;
  Json document{{"file", path},
                {"gguf_version", file.version()},
                {"architecture", text("general.architecture")},
                {"name", text("general.name")},
                {"model", describe_config(path)},
                {"tensor_bytes", bytes}};
  const GgufValue* tokens = file.find("tokenizer.ggml.tokens");
  if (tokens != nullptr && tokens->type() == GgufType::array) {
    document["tokenizer"] = {{"model", text("tokenizer.ggml.model")},
                             {"pre_tokenizer", text("tokenizer.ggml.pre")},
                             {"tokens", tokens->element_count()}};
  }
  if (file.find("tokenizer.chat_template") != nullptr) document["chat_template"] = text("tokenizer.chat_template");
  document["tensors"] = describe_tensors(file);
  return document;
}

void print_text(const Json& document) {
  constexpr std::string_view kApart[] = {"tensors", "chat_template", "model", "tokenizer"};
  for (const auto& [key, value] : document.items()) {
    if (std::find(std::begin(kApart), std::end(kApart), key) != std::end(kApart)) continue;
    fmt::print("{:<20} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  for (const char* part : {"model", "tokenizer"}) {
    if (!document.contains(part)) continue;
    for (const auto& [key, value] : document[part].items()) {
      fmt::print("{:<20} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
    }
  }
  if (document.contains("chat_template")) {
    fmt::print("chat_template:\n{}\n", document["chat_template"].get<std::string>());
  }
  fmt::print("\n{:<32} {:<8} {:<18} {:>12}\n", "tensor", "type", "shape", "bytes");
  for (const Json& tensor : document["tensors"]) {
    fmt::print("{:<32} {:<8} {:<18} {:>12}\n", tensor["name"].get<std::string>(), tensor["type"].get<std::string>(),
               tensor["shape"].dump(), tensor["bytes"].get<std::uint64_t>());
  }
}

}  // namespace

Action declare_inspect(CLI::App& command) {
  const auto flags = std::make_shared<InspectFlags>();
  add_model(command, flags->model);
  add_json(command, flags->json);
  return [flags] {
    const Json document = describe(flags->model);
    if (flags->json) {
      print_json(document);
    } else {
      print_text(document);
    }
    return 0;
  };
}

}  // namespace ridge::app
