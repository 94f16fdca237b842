// What one step asks of the model, as numbers only: the scheduler writes it, the operators read it.
#pragma once

#include <cstdint>
#include <span>

namespace ridge {

// The rows of one sequence in a step. Its rows stand together, in order of position.
struct SequenceSlice {
  std::int32_t first_row = 0;    // row of the batch that holds the slice's first token
  std::int32_t rows = 0;         // tokens of this sequence in the step
  std::int32_t context = 0;      // tokens whose keys are in the cache once the step's own are written
  std::int32_t first_block = 0;  // index into the step's block table of the block that holds position 0
};

// Where the keys and values of a step's sequences lie: sequence s holds position p in block
// block_table[slices[s].first_block + p / block_size], at offset p % block_size.
struct PagedView {
  std::span<const SequenceSlice> slices;
  std::span<const std::int32_t> block_table;
  std::int32_t block_size = 0;
};

}  // namespace ridge
