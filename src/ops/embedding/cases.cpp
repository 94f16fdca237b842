// Error model: none. A row is exactly what its format decodes to.
#include "core/error.h"
#include "core/rng.h"
#include "ops/case.h"
#include "ops/embedding/embedding.h"
#include "ops/linear/pack.h"

#include <algorithm>

namespace ridge {
namespace {

class EmbeddingRun final : public CaseRun {
 public:
  EmbeddingRun(Device& device, Format format, std::int64_t vocabulary, std::int64_t channels, std::int64_t rows,
               std::uint64_t seed)
      : channels_(channels) {
    const Exec exec(device);
    PhiloxStream random(seed);
    values_.resize(static_cast<std::size_t>(vocabulary * channels));
    const auto row = static_cast<std::size_t>(row_bytes(format, channels));
    std::vector<std::byte> stored(static_cast<std::size_t>(vocabulary) * row);
    std::vector<float> floats(static_cast<std::size_t>(channels));
    for (std::size_t v = 0; v < static_cast<std::size_t>(vocabulary); ++v) {
      std::generate(floats.begin(), floats.end(), [&] { return random.normal(); });
      const std::span<std::byte> to{stored.data() + v * row, row};
      encode_row(format, floats, to);
      decode_row(format, to, {values_.data() + v * floats.size(), floats.size()});
    }
    table_ = pack_weight(exec, format, vocabulary, channels, stored);
    for (std::int64_t t = 0; t < rows; ++t) {
      tokens_.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(vocabulary))));
    }
  }

  void run(const Exec& exec) override { y_ = embedding(exec, {.table = &table_, .tokens = tokens_}); }

  // Against what the file's rows decode to, which is more than the reference over packed bytes says.
  CheckReport check() override {
    std::vector<double> expected;
    for (const std::int32_t token : tokens_) {
      const auto from = values_.begin() + token * channels_;
      expected.insert(expected.end(), from, from + channels_);
    }
    return compare({y_.data<float>(), expected.size()}, expected, std::vector<double>(expected.size(), 0.0));
  }

 private:
  std::int64_t channels_;
  std::vector<float> values_;
  Weight table_;
  std::vector<std::int32_t> tokens_;
  Tensor y_;
};

}  // namespace

OpInfo embedding_info() {
  OpInfo info{"embedding", {}};
  const auto add = [&](Format format, std::int64_t vocabulary, std::int64_t channels, std::int64_t rows,
                       unsigned tags) {
    info.cases.push_back({fmt::format("{} [{}, {}] rows={}", format_name(format), vocabulary, channels, rows), tags,
                          [=](Device& device, std::uint64_t seed, double) {
                            return std::make_unique<EmbeddingRun>(device, format, vocabulary, channels, rows, seed);
                          }});
  };
  for (const FormatInfo& format : format_table()) {
    for (const std::int64_t rows : {0, 1, 31}) add(format.format, 97, 64, rows, kTestCase);
  }
  for (const std::int64_t rows : {1, 64, 512}) add(Format::q8_0, 1024, 768, rows, kCalibrationCase);
  return info;
}

}  // namespace ridge
