// What one step computes, as one flat buffer of bytes without pointers: what is uploaded, broadcast, recorded and
// replayed are the same bytes.
#pragma once

#include "core/step.h"
#include "sched/sampling.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace ridge {

// Stands for the token that the previous step samples for the same sequence: a step can be planned before the one
// before it has run. The runner puts the token in.
inline constexpr std::int32_t kPreviousSample = -1;

// The largest sizes that a step may have. They fix where each array of a plan starts.
struct StepLimits {
  std::int32_t sequences = 0;
  std::int32_t tokens = 0;
  std::int32_t blocks = 0;  // entries of the block table, all sequences together

  friend bool operator==(const StepLimits&, const StepLimits&) = default;
};

// Whose rows a slice holds, and what is sampled from them.
struct PlannedSequence {
  std::int64_t request = 0;
  std::int32_t slot = 0;     // in [0, limits.sequences): names the sequence for as long as it runs
  std::int32_t samples = 0;  // 1: the logits of the slice's last row give the token at position `context`; 0: none
  SamplingParams sampling;
};

// One array of the buffer.
struct StepArray {
  std::uint32_t offset = 0;  // bytes from the start of the buffer
  std::int32_t count = 0;
  std::int32_t capacity = 0;
};

struct StepHeader {
  std::int64_t step = 0;  // steps are numbered from 0 in the order of planning
  std::int32_t block_size = 0;
  StepArray tokens;       // T i32: token ids or kPreviousSample
  StepArray positions;    // T i32
  StepArray slots;        // T i32: block * block_size + offset of the row's key and value
  StepArray slices;       // S SequenceSlice, covering the rows in order
  StepArray sequences;    // S PlannedSequence, beside the slices
  StepArray block_table;  // i32
  StepArray logit_rows;   // R i32: the last rows of the slices that sample, in order
};
static_assert(std::is_trivially_copyable_v<StepHeader> && std::has_unique_object_representations_v<StepHeader>);
static_assert(std::is_trivially_copyable_v<SequenceSlice> && std::is_trivially_copyable_v<PlannedSequence>);
static_assert(sizeof(PlannedSequence) == 48, "padding would put undefined bytes into the buffer");

class StepPlan {
 public:
  // Takes the buffer for the largest step; nothing allocates later. Throws Error unless every limit is positive and
  // the buffer stays below 2^31 bytes.
  explicit StepPlan(const StepLimits& limits);

  // Empties the plan; all bytes but the header's become 0, so that equal plans have equal bytes.
  void begin(std::int64_t step, std::int32_t block_size);

  // Adds rows for positions [first_position, first_position + tokens.size()) of a sequence whose positions lie in
  // `blocks`, of which the first ones enter the table, as many as the context needs. Throws Error beyond the limits.
  void append(const PlannedSequence& sequence, std::int32_t first_position, std::span<const std::int32_t> tokens,
              std::span<const std::int32_t> blocks);

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  [[nodiscard]] const StepHeader& header() const { return *reinterpret_cast<const StepHeader*>(bytes_.data()); }
  [[nodiscard]] StepLimits limits() const;
  [[nodiscard]] bool empty() const { return header().tokens.count == 0; }

  [[nodiscard]] std::span<const std::int32_t> tokens() const { return view<std::int32_t>(header().tokens); }
  [[nodiscard]] std::span<const std::int32_t> positions() const { return view<std::int32_t>(header().positions); }
  [[nodiscard]] std::span<const std::int32_t> slots() const { return view<std::int32_t>(header().slots); }
  [[nodiscard]] std::span<const SequenceSlice> slices() const { return view<SequenceSlice>(header().slices); }
  [[nodiscard]] std::span<const PlannedSequence> sequences() const { return view<PlannedSequence>(header().sequences); }
  [[nodiscard]] std::span<const std::int32_t> logit_rows() const { return view<std::int32_t>(header().logit_rows); }
  [[nodiscard]] PagedView paged_view() const {
    return {slices(), view<std::int32_t>(header().block_table), header().block_size};
  }

  // Of all bytes, for traces.
  [[nodiscard]] std::uint64_t hash() const;
  friend bool operator==(const StepPlan& left, const StepPlan& right) { return left.bytes_ == right.bytes_; }

 private:
  template <class T>
  [[nodiscard]] std::span<const T> view(const StepArray& array) const {
    return {reinterpret_cast<const T*>(bytes_.data() + array.offset), static_cast<std::size_t>(array.count)};
  }
  template <class T>
  void push(StepArray& array, const T& value);
  [[nodiscard]] StepHeader& mutable_header() { return *reinterpret_cast<StepHeader*>(bytes_.data()); }

  std::vector<std::byte> bytes_;
};

// What a step gave: tokens[s] is the token sampled for sequence s of the plan, kNoToken where it sampled none.
inline constexpr std::int32_t kNoToken = -1;
struct StepResult {
  std::vector<std::int32_t> tokens;
};

}  // namespace ridge
