// Inputs of attention for its cases and tests: sequences whose keys and values are drawn by position, so that the same
// ones can be laid out in pages of any size and asked for in any chunks.
#pragma once

#include "ops/attention/attention.h"

#include <utility>
#include <vector>

namespace ridge {

struct AttentionSizes {
  std::vector<std::pair<std::int32_t, std::int32_t>> slices;  // rows and context of each sequence
  std::int64_t heads = 1;
  std::int64_t kv_heads = 1;
  std::int64_t head_size = 1;
  std::int32_t block_size = 16;
  DType dtype = DType::f16;
  float q_scale = 1;
};

class AttentionInput {
 public:
  // `footprint_bytes` asks for copies of the cache. Pages stand in a random order where `shuffled`. Values are binary16
  // in caches of both types. Slots beyond a context hold NaN.
  AttentionInput(Device& device, const AttentionSizes& sizes, std::uint64_t seed, double footprint_bytes,
                 bool shuffled);

  [[nodiscard]] AttentionArgs args(std::size_t copy) const;
  [[nodiscard]] std::size_t copies() const { return caches_.size(); }
  [[nodiscard]] const AttentionSizes& sizes() const { return sizes_; }

  // What the cache holds, and the query that the row at `position` of a sequence asks with.
  [[nodiscard]] float key(std::size_t sequence, std::int64_t position, std::int64_t kv_head, std::int64_t d) const;
  [[nodiscard]] float value(std::size_t sequence, std::int64_t position, std::int64_t kv_head, std::int64_t d) const;
  [[nodiscard]] float query(std::size_t sequence, std::int64_t position, std::int64_t head, std::int64_t d) const;

 private:
  void lay_out(bool shuffled, std::uint64_t seed);
  void fill_q();
  void fill_cache(const KvLayer& cache) const;
  [[nodiscard]] float noise(std::uint64_t index) const;

  AttentionSizes sizes_;
  std::vector<float> noise_;
  Tensor q_;
  std::vector<KvLayer> caches_;
  std::vector<SequenceSlice> slices_;
  std::vector<std::int32_t> block_table_;
};

}  // namespace ridge
