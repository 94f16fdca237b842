// A hash table of positions in a list that somebody else keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ridge {

// Open addressing with linear probing, at most half full. It holds no keys: the caller gives hashes, and says whether
// the item at a position is the one it looks for. 32 bits of each hash are kept, so other items are rarely looked at.
class HashIndex {
 public:
  static constexpr std::int32_t kNone = -1;

  // For at most `capacity` items.
  explicit HashIndex(std::size_t capacity);

  // The position of the item that `same(position)` accepts, or kNone.
  template <class Same>
  [[nodiscard]] std::int32_t find(std::uint64_t hash, Same&& same) const {
    for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.position == kNone) return kNone;
      if (slot.tag == tag_of(hash) && same(slot.position)) return slot.position;
    }
  }

  // The item must not be there yet.
  void insert(std::uint64_t hash, std::int32_t position);

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::int32_t position = kNone;
  };
  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

  std::vector<Slot> slots_;
  std::size_t mask_;
};

}  // namespace ridge
