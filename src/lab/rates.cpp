#include "lab/rates.h"

#include "core/clock.h"
#include "core/error.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

namespace ridge {
namespace {

// The part of a footprint that each thread walks over.
std::size_t part_of(double footprint_bytes, int threads) {
  const auto part = static_cast<std::size_t>(footprint_bytes / threads) / kLoopBytes * kLoopBytes;
  return std::max(part, kLoopBytes);
}

// Seconds in which all threads do body(thread number).
template <class Body>
double time_all(ThreadPool& pool, Body&& body) {
  const SteadyClock clock;
  const double start = clock.now();
  pool.parallel_for(pool.threads(), [&](std::int64_t item, int) { body(static_cast<std::size_t>(item)); });
  return clock.now() - start;
}

// Passes that take about `seconds` when one took `once`.
std::int64_t passes_for(double seconds, double once) {
  return std::clamp<std::int64_t>(std::llround(seconds / std::max(once, 1e-9)), 1, std::int64_t{1} << 32);
}

// Bytes per second of the best loop. walk(loop, thread, passes) is one thread's share; `bytes` all shares of one pass.
template <class Loop, class Walk>
double best_rate(ThreadPool& pool, const std::vector<Loop>& loops, double bytes, double seconds, Walk&& walk) {
  time_all(pool, [&](std::size_t thread) { walk(loops.front(), thread, 1); });  // fills the caches
  const double once = time_all(pool, [&](std::size_t thread) { walk(loops.front(), thread, 1); });
  double best = 0;
  for (const Loop& loop : loops) {
    const std::int64_t passes = passes_for(seconds, once);
    const double taken = time_all(pool, [&](std::size_t thread) { walk(loop, thread, passes); });
    best = std::max(best, bytes * static_cast<double>(passes) / taken);
  }
  return best;
}

}  // namespace

Tensor make_loop_memory(Device& device, std::size_t bytes) {
  Tensor memory = device.memory().allocate({static_cast<std::int64_t>(bytes)}, DType::i8, MemoryKind::workspace);
  constexpr std::size_t kPiece = std::size_t{4} << 20;
  device.pool().parallel_for(static_cast<std::int64_t>((bytes + kPiece - 1) / kPiece), [&](std::int64_t piece, int) {
    const std::size_t begin = static_cast<std::size_t>(piece) * kPiece;
    std::memset(memory.data<std::byte>() + begin, 1, std::min(kPiece, bytes - begin));
  });
  return memory;
}

double sample_read_rate(ThreadPool& pool, const Tensor& memory, double footprint_bytes, double seconds) {
  const std::size_t part = part_of(footprint_bytes, pool.threads());
  const double bytes = static_cast<double>(part) * pool.threads();
  require(bytes <= static_cast<double>(memory.bytes()), "read rate: {} bytes are more than the {} at hand", bytes,
          memory.bytes());
  return best_rate(pool, read_loops(), bytes, seconds, [&](ReadLoop loop, std::size_t thread, std::int64_t passes) {
    loop(memory.data<std::byte>() + thread * part, part, passes);
  });
}

double sample_copy_rate(ThreadPool& pool, const Tensor& memory, double footprint_bytes, double seconds) {
  const std::size_t part = part_of(footprint_bytes / 2, pool.threads());
  const double bytes = 2 * static_cast<double>(part) * pool.threads();
  require(bytes <= static_cast<double>(memory.bytes()), "copy rate: {} bytes are more than the {} at hand", bytes,
          memory.bytes());
  return best_rate(pool, copy_loops(), bytes, seconds, [&](CopyLoop loop, std::size_t thread, std::int64_t passes) {
    std::byte* from = memory.data<std::byte>() + 2 * thread * part;
    loop(from + part, from, part, passes);
  });
}

double sample_peak(ThreadPool& pool, PeakLoop loop, double seconds) {
  constexpr std::int64_t kTrial = 2000;
  const double once = time_all(pool, [&](std::size_t) { loop(kTrial); });
  const std::int64_t rounds = kTrial * passes_for(seconds, once);
  std::atomic<double> operations{0};
  const double taken = time_all(pool, [&](std::size_t) { operations.fetch_add(loop(rounds)); });
  return operations.load() / taken;
}

double sample_fork_join(ThreadPool& pool) {
  constexpr int kCalls = 64;
  const SteadyClock clock;
  std::atomic<int> arrived{0};
  const double start = clock.now();
  for (int call = 1; call <= kCalls; ++call) {
    // Each item waits for all others, so no thread can take two.
    pool.parallel_for(pool.threads(), [&](std::int64_t, int) {
      arrived.fetch_add(1);
      for (int spins = 0; arrived.load() < call * pool.threads(); ++spins) {
        if (spins > 1000) std::this_thread::yield();
      }
    });
  }
  return (clock.now() - start) / kCalls;
}

double smallest_footprint(int threads) {
  double footprint = 16 << 10;
  while (footprint < 2.0 * threads * static_cast<double>(kLoopBytes)) footprint *= 2;
  return footprint;
}

}  // namespace ridge
