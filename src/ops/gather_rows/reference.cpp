#include "ops/gather_rows/gather_rows.h"

namespace ridge {

void gather_rows_reference(const GatherRowsArgs& args, double* y) {
  const std::int64_t channels = args.x.size(1);
  for (const std::int32_t row : args.rows) {
    for (std::int64_t c = 0; c < channels; ++c) *y++ = args.x.data<float>()[row * channels + c];
  }
}

}  // namespace ridge
