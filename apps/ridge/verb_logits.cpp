// ridge logits: fp32 logits of every position of a sequence.
#include "common.h"
#include "core/error.h"
#include "core/file.h"
#include "model/model.h"
#include "verb.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <numeric>
#include <optional>

namespace ridge::app {
namespace {

struct LogitsFlags {
  std::string model, ids;
  std::optional<std::string> out;
  std::string weights = "file";
  std::string kv_type = "f16";
  int threads = 0;
};

// Version 1.0 of NumPy's format: magic, header length, a Python dict padded to 64 bytes, then the rows.
std::string to_npy(const Tensor& logits) {
  std::string header =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", logits.size(0), logits.size(1));
  constexpr std::size_t kPreamble = 10;
  header.append(63 - (kPreamble + header.size()) % 64, ' ');
  header.push_back('\n');
  std::string npy("\x93NUMPY\x01\x00", 8);
  npy.push_back(static_cast<char>(header.size() & 0xFF));
  npy.push_back(static_cast<char>(header.size() >> 8));
  npy += header;
  npy.append(logits.data<char>(), logits.bytes());
  return npy;
}

Tensor all_logits(const Exec& exec, const Model& model, const std::vector<std::int32_t>& ids, DType kv_type) {
  require(static_cast<std::int64_t>(ids.size()) <= model.config.context,
          "logits: {} tokens do not fit the context of {}", ids.size(), model.config.context);
  const auto count = static_cast<std::int32_t>(ids.size());
  std::vector<std::int32_t> rows(ids.size());
  std::iota(rows.begin(), rows.end(), 0);
  const KvCache cache = make_kv_cache(exec, model.config, 1, count, kv_type);
  const SequenceSlice slice{.first_row = 0, .rows = count, .context = count, .first_block = 0};
  const std::int32_t block = 0;
  return decoder_forward(exec, model.config, model.weights, cache,
                         {.tokens = ids,
                          .positions = rows,
                          .slots = rows,
                          .view = {.slices = {&slice, 1}, .block_table = {&block, 1}, .block_size = count},
                          .logit_rows = rows});
}

void print_logits(const Tensor& logits) {
  Json rows = Json::array();
  for (std::int64_t row = 0; row < logits.size(0); ++row) {
    const float* from = logits.data<float>() + row * logits.size(1);
    rows.push_back(std::vector<float>(from, from + logits.size(1)));
  }
  print_json({{"shape", {logits.size(0), logits.size(1)}}, {"logits", rows}});
}

int compute(const LogitsFlags& flags) {
  const std::vector<std::int32_t> ids = parse_ids(flags.ids);
  const auto source = open_weights(flags.model);
  const auto device = make_cpu_device(flags.threads);
  const Exec exec(*device);
  const Model model = load_model(exec, *source, {.as_f32 = flags.weights == "f32"});
  const Tensor logits = all_logits(exec, model, ids, flags.kv_type == "f32" ? DType::f32 : DType::f16);
  if (flags.out) {
    write_file_atomically(*flags.out, to_npy(logits));
  } else {
    print_logits(logits);
  }
  return 0;
}

}  // namespace

Action declare_logits(CLI::App& command) {
  const auto flags = std::make_shared<LogitsFlags>();
  add_model(command, flags->model);
  command.add_option("--ids", flags->ids, "Token ids, separated by commas")->required();
  command.add_option("--out", flags->out, "Write a .npy file [tokens, vocabulary] instead of JSON");
  command.add_option("--weights", flags->weights, "As the file has them, or dequantised at load")
      ->check(CLI::IsMember({"file", "f32"}));
  command.add_option("--kv-type", flags->kv_type, "Type of the key and value cache")
      ->check(CLI::IsMember({"f16", "f32"}));
  add_threads(command, flags->threads);
  return [flags] { return compute(*flags); };
}

}  // namespace ridge::app
