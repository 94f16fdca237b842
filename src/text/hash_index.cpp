#include "text/hash_index.h"

#include <bit>

namespace ridge {

HashIndex::HashIndex(std::size_t capacity) : slots_(std::bit_ceil(2 * capacity + 1)), mask_(slots_.size() - 1) {}

void HashIndex::insert(std::uint64_t hash, std::int32_t position) {
  std::size_t at = hash & mask_;
  while (slots_[at].position != kNone) at = (at + 1) & mask_;
  slots_[at] = {tag_of(hash), position};
}

}  // namespace ridge
