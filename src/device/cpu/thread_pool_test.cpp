#include "device/cpu/thread_pool.h"

#include "core/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace ridge {
namespace {

TEST(ThreadPool, RunsEveryItemOnceForAnyNumberOfThreads) {
  for (const int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    for (const std::int64_t items : {0, 1, 2, 7, 1000}) {
      std::vector<int> runs(static_cast<std::size_t>(items), 0);
      pool.parallel_for(items, [&](std::int64_t item, int thread) {
        ASSERT_LT(thread, threads);
        ++runs[static_cast<std::size_t>(item)];
      });
      EXPECT_EQ(std::accumulate(runs.begin(), runs.end(), std::int64_t{0}), items);
      for (const int count : runs) EXPECT_EQ(count, 1);
    }
  }
}

TEST(ThreadPool, ManyShortJobsInARow) {
  ThreadPool pool(3);
  std::vector<std::int64_t> sums(5, 0);
  for (int job = 0; job < 20000; ++job) {
    pool.parallel_for(5, [&](std::int64_t item, int) { sums[static_cast<std::size_t>(item)] += item; });
  }
  for (std::int64_t item = 0; item < 5; ++item) EXPECT_EQ(sums[static_cast<std::size_t>(item)], 20000 * item);
}

// A worker late from a small job must not take an item of the larger one that is being set up.
TEST(ThreadPool, LateWorkersLeaveTheNextJobAlone) {
  std::vector<int> runs(1000, 0);
  for (int round = 0; round < 1000; ++round) {
    ThreadPool pool(8);  // new threads come late
    for (const std::int64_t items : {2, 3, 7, 1000}) {
      std::fill(runs.begin(), runs.end(), 0);
      pool.parallel_for(items, [&](std::int64_t item, int) { ++runs[static_cast<std::size_t>(item)]; });
      ASSERT_EQ(std::count(runs.begin(), runs.end(), 1), items) << "round " << round;
    }
  }
}

TEST(ThreadPool, RefusesNoThreads) {
  EXPECT_THROW(ThreadPool(0), Error);
}

}  // namespace
}  // namespace ridge
