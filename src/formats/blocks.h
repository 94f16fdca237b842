// The block type of a format, for code that is compiled once for each.
#pragma once

#include "core/error.h"
#include "formats/floats.h"
#include "formats/format.h"
#include "formats/q4_0.h"
#include "formats/q4_1.h"
#include "formats/q8_0.h"

namespace ridge {

template <class Block>
inline constexpr bool kHasGroups = Block::kElements == kGroupElements;

// Calls work(Block{}) with the block type of the format.
template <class Work>
auto with_block(Format format, Work&& work) {
  switch (format) {
    case Format::f32:
      return work(F32Block{});
    case Format::f16:
      return work(F16Block{});
    case Format::bf16:
      return work(Bf16Block{});
    case Format::q4_0:
      return work(Q4_0Block{});
    case Format::q4_1:
      return work(Q4_1Block{});
    case Format::q8_0:
      return work(Q8_0Block{});
  }
  fail("format: no such format, got number {}", static_cast<int>(format));
}

}  // namespace ridge
