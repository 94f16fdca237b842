// Independent rows over the pool, for operators whose rows cost about the same.
#pragma once

#include "device/cpu/thread_pool.h"

#include <algorithm>

namespace ridge {

// body(row) for each row. `elements_per_row` says how much work a row is: little work stays on the calling thread,
// because waking others costs more.
template <class Body>
void for_rows(ThreadPool& pool, std::int64_t rows, std::int64_t elements_per_row, Body&& body) {
  constexpr std::int64_t kElementsPerItem = 16384;
  const std::int64_t rows_per_item =
      std::max<std::int64_t>(1, kElementsPerItem / std::max<std::int64_t>(1, elements_per_row));
  const std::int64_t items = (rows + rows_per_item - 1) / rows_per_item;
  pool.parallel_for(items, [&](std::int64_t item, int) {
    const std::int64_t end = std::min(rows, (item + 1) * rows_per_item);
    for (std::int64_t row = item * rows_per_item; row < end; ++row) body(row);
  });
}

}  // namespace ridge
