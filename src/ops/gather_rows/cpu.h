// gather_rows on the CPU: a copy, so one path serves all instruction sets.
#pragma once

#include "ops/gather_rows/gather_rows.h"

namespace ridge {

void gather_rows_cpu(ThreadPool& pool, const GatherRowsArgs& args, const Tensor& y);

}  // namespace ridge
