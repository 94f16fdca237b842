// Which blocks of the KV pool belong to which sequence: ids only, the memory is the runner's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ridge {

// A fixed pool of blocks of `block_size` tokens and one block table for each of `sequences` slots. Everything is
// allocated here; calls allocate nothing.
class KvBlocks {
 public:
  // Throws Error unless every size is positive and blocks * block_size fits in 31 bits.
  KvBlocks(std::int32_t blocks, std::int32_t block_size, std::int32_t sequences, std::int32_t blocks_per_sequence);

  [[nodiscard]] std::int32_t blocks() const { return static_cast<std::int32_t>(owners_.size()); }
  [[nodiscard]] std::int32_t block_size() const { return block_size_; }
  [[nodiscard]] std::int32_t free_blocks() const { return static_cast<std::int32_t>(free_.size()); }
  [[nodiscard]] std::int32_t blocks_for(std::int32_t tokens) const {
    return tokens / block_size_ + static_cast<std::int32_t>(tokens % block_size_ != 0);
  }

  // Grows the table of a slot until it holds `tokens`. False, and nothing changes, when the pool lacks the blocks.
  // Throws Error when the table cannot hold so many.
  [[nodiscard]] bool reserve(std::int32_t sequence, std::int32_t tokens);

  // Gives all blocks of a slot back.
  void release(std::int32_t sequence);

  // Position p of the sequence lies in block table(sequence)[p / block_size()].
  [[nodiscard]] std::span<const std::int32_t> table(std::int32_t sequence) const;

  // Throws Error unless every block is either free or in exactly one table.
  void check() const;

 private:
  std::int32_t take();
  void give_back(std::int32_t block);

  std::int32_t block_size_;
  std::int32_t blocks_per_sequence_;
  std::vector<std::int32_t> free_;    // taken from the end: the block given back last is the warmest
  std::vector<std::int32_t> owners_;  // tables that hold each block
  std::vector<std::int32_t> tables_;  // [sequences, blocks_per_sequence]
  std::vector<std::int32_t> counts_;  // blocks in each table
};

}  // namespace ridge
