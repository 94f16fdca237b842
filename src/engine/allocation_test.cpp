// No thread allocates while sequences decode: malloc and its kin, and mmap, are counted in the whole process.
#include "engine/engine.h"
#include "support/random_model.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <thread>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCounts = false;  // sanitizers bring their own malloc
#else
constexpr bool kCounts = true;
#endif

namespace {

std::atomic<bool> counting{false};
std::atomic<int> allocations{0};

void count() {
  if (counting.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Strong symbols of the program come before the C library's, for every thread and shared library.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): the C library's own names for what stands behind malloc.
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* old, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
// NOLINTEND(bugprone-reserved-identifier)

void* malloc(std::size_t bytes) noexcept {
  count();
  return __libc_malloc(bytes);
}
void* calloc(std::size_t number, std::size_t bytes) noexcept {
  count();
  return __libc_calloc(number, bytes);
}
void* realloc(void* old, std::size_t bytes) noexcept {
  count();
  return __libc_realloc(old, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  count();
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t bytes) noexcept {
  count();
  *out = __libc_memalign(alignment, bytes);
  return *out == nullptr ? ENOMEM : 0;
}
void* mmap(void* address, std::size_t length, int protection, int flags, int file, off_t offset) noexcept {
  count();
  return reinterpret_cast<void*>(::syscall(SYS_mmap, address, length, protection, flags, file, offset));
}
}  // extern "C"
#endif

namespace ridge {
namespace {

using Ints = std::vector<std::int32_t>;

template <class Action>
int allocations_during(Action&& action) {
  allocations = 0;
  counting = true;
  action();
  counting = false;
  return allocations;
}

// Hides a pointer from the optimiser, which may drop an allocation that nobody sees.
template <class T>
T* keep(T* pointer) {
  T* volatile hidden = pointer;
  return hidden;
}

TEST(Allocations, AreCountedOnEveryThread) {
  if (!kCounts) GTEST_SKIP() << "a sanitizer has its own malloc";
  std::atomic<bool> go{false};
  std::thread other([&] {
    while (!go) std::this_thread::yield();
    std::free(keep(std::malloc(100)));
    delete keep(new int);
  });
  const int counted = allocations_during([&] {
    go = true;
    other.join();
    void* page = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ::munmap(page, 4096);
  });
  EXPECT_GE(counted, 3);
}

TEST(Allocations, NoneInADecodeStepOfABatchOfEight) {
  if (!kCounts) GTEST_SKIP() << "a sanitizer has its own malloc";
  const auto device = Device::cpu(3, std::size_t{64} << 20);
  const Exec exec(*device);
  const Model model = random_model(exec);
  for (const std::int32_t depth : {1, 2}) {
    Engine engine(exec, model, {.kv_tokens = 1000, .depth = depth});
    for (std::int32_t i = 0; i < 8; ++i) {
      const SamplingParams sampling{.temperature = i % 2 == 0 ? 0.0F : 1.0F,
                                    .top_k = i % 4 == 1 ? 20 : 0,
                                    .top_p = i % 4 == 3 ? 0.9F : 1.0F,
                                    .repeat_penalty = i > 5 ? 1.1F : 1.0F,
                                    .seed = static_cast<std::uint64_t>(i)};
      engine.add({Ints{i + 1, 2, 3}, 80, {}, sampling});
    }
    for (int step = 0; step < 8; ++step) engine.step();
    std::size_t tokens = 0;
    const int counted = allocations_during([&] {
      for (int step = 0; step < 60; ++step) tokens += engine.step().size();
    });
    EXPECT_EQ(tokens, 480U);
    EXPECT_EQ(counted, 0) << "depth " << depth;
  }
}

// Prompts and ends of sequences, too: nothing between two calls of add() allocates.
TEST(Allocations, NoneInAMixedSchedule) {
  if (!kCounts) GTEST_SKIP() << "a sanitizer has its own malloc";
  const auto device = Device::cpu(2, std::size_t{64} << 20);
  const Exec exec(*device);
  const Model model = random_model(exec);
  Engine engine(exec, model, {.max_sequences = 3, .max_tokens_per_step = 20, .chunk = 16, .depth = 2});
  const auto run = [&] {
    while (!engine.idle()) engine.step();
  };
  const auto add = [&] {
    for (std::int32_t i = 0; i < 6; ++i) engine.add({Ints(static_cast<std::size_t>(10 + 7 * i), 3), 5 + i, {}, {}});
  };
  add();
  run();
  add();
  EXPECT_EQ(allocations_during(run), 0);
}

}  // namespace
}  // namespace ridge
