#include "ops/rms_norm/cpu.h"

#include "device/cpu/path.h"
#include "ops/rows.h"

namespace ridge {

void rms_norm_cpu(ThreadPool& pool, const RmsNormArgs& args, const Tensor& y) {
  const RmsNormRow row = choose_path(rms_norm_row_portable, rms_norm_row_avx2, rms_norm_row_avx512);
  const std::int64_t channels = args.x.size(1);
  for_rows(pool, args.x.size(0), channels, [&](std::int64_t t) {
    row(args.x.data<float>() + t * args.x.stride(0), args.weight.data<float>(), args.eps, channels,
        y.data<float>() + t * channels);
  });
}

}  // namespace ridge
