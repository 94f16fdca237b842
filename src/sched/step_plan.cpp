#include "sched/step_plan.h"

#include "core/error.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace ridge {
namespace {

constexpr std::size_t kAlignment = 64;  // a cache line, and what a device wants of an array's start

// Gives an array its place behind `end`, which moves on.
template <class T>
StepArray place(std::size_t& end, std::int32_t capacity) {
  const std::size_t offset = (end + kAlignment - 1) / kAlignment * kAlignment;
  end = offset + sizeof(T) * static_cast<std::size_t>(capacity);
  require(end <= std::numeric_limits<std::int32_t>::max(),
          "step plan: the buffer would take {} bytes, at most 2^31 - 1", end);
  return {static_cast<std::uint32_t>(offset), 0, capacity};
}

}  // namespace

StepPlan::StepPlan(const StepLimits& limits) {
  require(limits.sequences > 0 && limits.tokens > 0 && limits.blocks > 0,
          "step plan: limits must be positive, got {} sequences, {} tokens, {} blocks", limits.sequences, limits.tokens,
          limits.blocks);
  StepHeader header;
  std::size_t end = sizeof(StepHeader);
  header.tokens = place<std::int32_t>(end, limits.tokens);
  header.positions = place<std::int32_t>(end, limits.tokens);
  header.slots = place<std::int32_t>(end, limits.tokens);
  header.slices = place<SequenceSlice>(end, limits.sequences);
  header.sequences = place<PlannedSequence>(end, limits.sequences);
  header.block_table = place<std::int32_t>(end, limits.blocks);
  header.logit_rows = place<std::int32_t>(end, limits.sequences);
  bytes_.resize(end);
  mutable_header() = header;
}

StepLimits StepPlan::limits() const {
  return {header().sequences.capacity, header().tokens.capacity, header().block_table.capacity};
}

void StepPlan::begin(std::int64_t step, std::int32_t block_size) {
  StepHeader& header = mutable_header();
  header.step = step;
  header.block_size = block_size;
  for (StepArray* array : {&header.tokens, &header.positions, &header.slots, &header.slices, &header.sequences,
                           &header.block_table, &header.logit_rows}) {
    array->count = 0;
  }
  std::memset(bytes_.data() + sizeof(StepHeader), 0, bytes_.size() - sizeof(StepHeader));
}

template <class T>
void StepPlan::push(StepArray& array, const T& value) {
  require(array.count < array.capacity, "step plan: an array of {} entries is full", array.capacity);
  std::memcpy(bytes_.data() + array.offset + sizeof(T) * static_cast<std::size_t>(array.count), &value, sizeof(T));
  ++array.count;
}

void StepPlan::append(const PlannedSequence& sequence, std::int32_t first_position,
                      std::span<const std::int32_t> tokens, std::span<const std::int32_t> blocks) {
  StepHeader& header = mutable_header();
  const auto rows = static_cast<std::int32_t>(tokens.size());
  const std::int32_t context = first_position + rows;
  const std::int32_t held = (context + header.block_size - 1) / header.block_size;
  require(rows > 0 && first_position >= 0 && static_cast<std::size_t>(held) <= blocks.size(),
          "step plan: {} rows from position {} do not fit in {} blocks of {} tokens", rows, first_position,
          blocks.size(), header.block_size);
  push(header.slices, SequenceSlice{header.tokens.count, rows, context, header.block_table.count});
  push(header.sequences, sequence);
  for (std::int32_t i = 0; i < rows; ++i) {
    const std::int32_t position = first_position + i;
    push(header.tokens, tokens[static_cast<std::size_t>(i)]);
    push(header.positions, position);
    push(header.slots, blocks[static_cast<std::size_t>(position / header.block_size)] * header.block_size +
                           position % header.block_size);
  }
  for (const std::int32_t block : blocks.first(static_cast<std::size_t>(held))) push(header.block_table, block);
  if (sequence.samples != 0) push(header.logit_rows, header.tokens.count - 1);
}

std::uint64_t StepPlan::hash() const {
  std::uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a, 64 bits
  for (const std::byte byte : bytes_) hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001B3U;
  return hash;
}

}  // namespace ridge
