#include "sched/kv_blocks.h"

#include "core/error.h"

#include <algorithm>
#include <limits>

namespace ridge {

KvBlocks::KvBlocks(std::int32_t blocks, std::int32_t block_size, std::int32_t sequences,
                   std::int32_t blocks_per_sequence)
    : block_size_(block_size), blocks_per_sequence_(blocks_per_sequence) {
  require(blocks > 0 && block_size > 0 && sequences > 0 && blocks_per_sequence > 0,
          "kv blocks: sizes must be positive, got {} blocks of {} tokens, {} sequences of {} blocks", blocks,
          block_size, sequences, blocks_per_sequence);
  require(std::int64_t{blocks} * block_size <= std::numeric_limits<std::int32_t>::max(),
          "kv blocks: {} blocks of {} tokens exceed the 2^31 slots that a step can name", blocks, block_size);
  owners_.resize(static_cast<std::size_t>(blocks));
  tables_.resize(static_cast<std::size_t>(sequences) * static_cast<std::size_t>(blocks_per_sequence));
  counts_.resize(static_cast<std::size_t>(sequences));
  free_.reserve(owners_.size());
  for (std::int32_t block = blocks; block-- > 0;) free_.push_back(block);
}

bool KvBlocks::reserve(std::int32_t sequence, std::int32_t tokens) {
  const std::int32_t wanted = blocks_for(tokens);
  require(wanted <= blocks_per_sequence_, "kv blocks: {} tokens need {} blocks, a sequence may have {}", tokens, wanted,
          blocks_per_sequence_);
  std::int32_t& count = counts_[static_cast<std::size_t>(sequence)];
  if (wanted - count > free_blocks()) return false;
  std::int32_t* table =
      tables_.data() + static_cast<std::size_t>(sequence) * static_cast<std::size_t>(blocks_per_sequence_);
  while (count < wanted) table[count++] = take();
  return true;
}

void KvBlocks::release(std::int32_t sequence) {
  const std::span<const std::int32_t> held = table(sequence);
  // Last block first, so that the next sequence takes the same blocks in the same order.
  for (std::size_t i = held.size(); i-- > 0;) give_back(held[i]);
  counts_[static_cast<std::size_t>(sequence)] = 0;
}

std::span<const std::int32_t> KvBlocks::table(std::int32_t sequence) const {
  const auto slot = static_cast<std::size_t>(sequence);
  return {tables_.data() + slot * static_cast<std::size_t>(blocks_per_sequence_),
          static_cast<std::size_t>(counts_[slot])};
}

std::int32_t KvBlocks::take() {
  const std::int32_t block = free_.back();
  free_.pop_back();
  ++owners_[static_cast<std::size_t>(block)];
  return block;
}

void KvBlocks::give_back(std::int32_t block) {
  if (--owners_[static_cast<std::size_t>(block)] == 0) free_.push_back(block);
}

void KvBlocks::check() const {
  std::vector<std::int32_t> seen(owners_.size());
  for (const std::int32_t block : free_) ++seen[static_cast<std::size_t>(block)];
  for (std::size_t sequence = 0; sequence < counts_.size(); ++sequence) {
    for (const std::int32_t block : table(static_cast<std::int32_t>(sequence))) ++seen[static_cast<std::size_t>(block)];
  }
  const auto wrong = std::find_if(seen.begin(), seen.end(), [](std::int32_t times) { return times != 1; });
  require(wrong == seen.end(), "kv blocks: block {} is held {} times", wrong - seen.begin(),
          wrong == seen.end() ? 0 : *wrong);
}

}  // namespace ridge
