#include "device/cpu/thread_pool.h"

#include "core/error.h"

#include <sched.h>

#include <algorithm>
#include <limits>

namespace ridge {
namespace {

// About 20 µs: longer than the serial work between two operators of a small model, shorter than a time slice.
constexpr int kSpins = 1500;
constexpr int kItemBits = 32;
constexpr std::uint32_t kNoItem = std::numeric_limits<std::uint32_t>::max();

void pause() {
  __builtin_ia32_pause();
}

}  // namespace

ThreadPool::ThreadPool(int threads) {
  require(threads >= 1, "threads: must be at least 1, got {}", threads);
  workers_.reserve(static_cast<std::size_t>(threads - 1));
  for (int thread = 1; thread < threads; ++thread) workers_.emplace_back([this, thread] { work(thread); });
}

ThreadPool::~ThreadPool() {
  stopping_.store(true);
  job_.fetch_add(1);
  job_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(std::int64_t items, Body body, void* context) {
  require(items <= kNoItem, "threads: too many work items ({})", items);
  if (workers_.empty() || items <= 1) {
    for (std::int64_t item = 0; item < items; ++item) body(context, item, 0);
    return;
  }
  const std::uint32_t job = job_.load(std::memory_order_relaxed) + 1;
  // Closes the last job before its fields change: a late worker that reads a field of this job (acquire) sees that the
  // claim moved on, so it cannot take the item after the last one of its own job.
  claim_.store(std::uint64_t{job} << kItemBits | kNoItem, std::memory_order_relaxed);
  body_.store(body, std::memory_order_release);
  context_.store(context, std::memory_order_release);
  items_.store(static_cast<std::uint32_t>(items), std::memory_order_release);
  left_.store(static_cast<std::uint32_t>(items), std::memory_order_relaxed);
  // Releases the job's fields to whoever claims one of its items.
  claim_.store(std::uint64_t{job} << kItemBits, std::memory_order_release);
  job_.store(job, std::memory_order_release);
  job_.notify_all();

  claim_items(job, 0);
  std::uint32_t left = left_.load(std::memory_order_acquire);
  for (int spin = 0; left != 0; left = left_.load(std::memory_order_acquire)) {
    if (spin++ < kSpins) {
      pause();
    } else {
      left_.wait(left, std::memory_order_acquire);
    }
  }
}

void ThreadPool::claim_items(std::uint32_t job, int thread) {
  std::uint64_t claim = claim_.load(std::memory_order_acquire);
  while (true) {
    // The fields are those of `job` if the exchange below succeeds: a new job starts only when every item of this one
    // is done, and closes the claim before it writes a field.
    const Body body = body_.load(std::memory_order_acquire);
    void* context = context_.load(std::memory_order_acquire);
    const std::uint32_t items = items_.load(std::memory_order_acquire);
    const auto item = static_cast<std::uint32_t>(claim);
    if (static_cast<std::uint32_t>(claim >> kItemBits) != job || item >= items) return;
    if (!claim_.compare_exchange_weak(claim, claim + 1, std::memory_order_acquire)) continue;
    body(context, item, thread);
    // Releases what the body wrote to the caller.
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) left_.notify_one();
    claim = claim_.load(std::memory_order_acquire);
  }
}

void ThreadPool::work(int thread) {
  std::uint32_t seen = 0;
  while (true) {
    std::uint32_t job = job_.load(std::memory_order_acquire);
    for (int spin = 0; job == seen; job = job_.load(std::memory_order_acquire)) {
      if (spin++ < kSpins) {
        pause();
      } else {
        job_.wait(seen, std::memory_order_acquire);
      }
    }
    if (stopping_.load()) return;
    seen = job;
    claim_items(job, thread);
  }
}

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

}  // namespace ridge
