#include "device/memory.h"

#include "core/error.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

constexpr std::size_t kCapacity = std::size_t{64} << 20;

std::ptrdiff_t offset_of(const Memory& memory, const Tensor& tensor) {
  return tensor.data<std::byte>() - memory.base();
}

TEST(Memory, TheSameProgramGetsTheSameOffsetsOnEveryDevice) {
  Memory real(kCapacity, Memory::Access::readable);
  Memory paper(kCapacity, Memory::Access::reserved);
  const auto program = [](Memory& memory) {
    std::vector<std::ptrdiff_t> offsets;
    Tensor a = memory.allocate({1000}, DType::f32, MemoryKind::activations);
    Tensor b = memory.allocate({3, 5}, DType::f16, MemoryKind::kv);
    offsets.push_back(offset_of(memory, a));
    offsets.push_back(offset_of(memory, b));
    a = Tensor();
    Tensor c = memory.allocate({10}, DType::f32, MemoryKind::logits);
    Tensor d = memory.allocate({1 << 20}, DType::f32, MemoryKind::weights);
    offsets.push_back(offset_of(memory, c));
    offsets.push_back(offset_of(memory, d));
    return offsets;
  };
  EXPECT_EQ(program(real), program(paper));
}

TEST(Memory, CountsLiveAndPeakByKindAndTogether) {
  Memory memory(kCapacity, Memory::Access::readable);
  {
    const Tensor a = memory.allocate({256}, DType::f32, MemoryKind::activations);
    const Tensor b = memory.allocate({64}, DType::f32, MemoryKind::kv);
    EXPECT_EQ(memory.use(MemoryKind::activations).live_bytes, 1024U);
    EXPECT_EQ(memory.total().live_bytes, 1280U);
  }
  EXPECT_EQ(memory.total().live_bytes, 0U);
  EXPECT_EQ(memory.total().peak_bytes, 1280U);
  EXPECT_EQ(memory.use(MemoryKind::kv).peak_bytes, 256U);
}

TEST(Memory, FreedRangesJoinAgain) {
  Memory memory(kCapacity, Memory::Access::readable);
  {
    std::vector<Tensor> pieces;
    for (int i = 0; i < 8; ++i) pieces.push_back(memory.allocate({1 << 21}, DType::f32, MemoryKind::activations));
    pieces.erase(pieces.begin() + 3);
    pieces.erase(pieces.begin() + 1);
  }
  const Tensor whole = memory.allocate({1 << 24}, DType::f32, MemoryKind::activations);
  EXPECT_EQ(offset_of(memory, whole), 0);
}

TEST(Memory, SaysWhatHoldsTheMemoryWhenItIsFull) {
  Memory memory(kCapacity, Memory::Access::reserved);
  const Tensor a = memory.allocate({12 << 20}, DType::f32, MemoryKind::weights);
  try {
    const Tensor b = memory.allocate({8 << 20}, DType::f32, MemoryKind::kv);
    FAIL() << "fitted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "memory: 33554432 bytes for kv do not fit in 67108864 bytes; held: weights 50331648");
  }
}

TEST(MemoryDeathTest, TouchingReservedMemoryFaults) {
  Memory memory(kCapacity, Memory::Access::reserved);
  const Tensor tensor = memory.allocate({4}, DType::f32, MemoryKind::activations);
  EXPECT_DEATH(*tensor.data<volatile float>() = 1.0F, "");
}

}  // namespace
}  // namespace ridge
