// The one pool of threads that CPU kernels run on.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

namespace ridge {

// Work is cut into items that own whole outputs; threads claim items one by one, so a thread that is held up elsewhere
// delays one item and not its share of the work. A call allocates nothing. Waiting spins briefly, then sleeps, because
// spinning starves whoever shares the core. Calls from one thread at a time; bodies must not throw.
class ThreadPool {
 public:
  // `threads` counts the caller: ThreadPool(1) starts none. Throws Error when threads < 1.
  explicit ThreadPool(int threads);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();

  [[nodiscard]] int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // body(item, thread) for every item in [0, items); thread in [0, threads()) tells scratch memories apart.
  // Returns when all are done; what bodies wrote is visible then.
  template <class Body>
  void parallel_for(std::int64_t items, Body&& body) {
    run(
        items,
        [](void* context, std::int64_t item, int thread) {
          (*static_cast<std::remove_reference_t<Body>*>(context))(item, thread);
        },
        const_cast<void*>(static_cast<const void*>(&body)));
  }

 private:
  using Body = void (*)(void* context, std::int64_t item, int thread);

  void run(std::int64_t items, Body body, void* context);
  void work(int thread);
  void claim_items(std::uint32_t job, int thread);

  // Job number above, next unclaimed item below: a late thread can never claim an item of a job that it has not seen.
  alignas(64) std::atomic<std::uint64_t> claim_{0};
  alignas(64) std::atomic<std::uint32_t> job_{0};   // sleeping workers wait for a change
  alignas(64) std::atomic<std::uint32_t> left_{0};  // items not yet done; the caller waits for 0
  std::atomic<std::uint32_t> items_{0};
  std::atomic<Body> body_{nullptr};
  std::atomic<void*> context_{nullptr};
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> workers_;
};

// Threads that this process may run on at once (its affinity mask).
int usable_cores();

}  // namespace ridge
