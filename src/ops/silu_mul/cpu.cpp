#include "ops/silu_mul/cpu.h"

#include "device/cpu/path.h"
#include "ops/rows.h"

namespace ridge {

void silu_mul_cpu(ThreadPool& pool, const SiluMulArgs& args, const Tensor& y) {
  const SiluMulRun run = choose_path(silu_mul_run_portable, silu_mul_run_avx2, silu_mul_run_avx512);
  // Elements are independent, so one wide row is split as many narrow ones are.
  constexpr std::int64_t kRun = 1024;
  const std::int64_t elements = y.elements();
  for_rows(pool, (elements + kRun - 1) / kRun, kRun, [&](std::int64_t i) {
    const std::int64_t begin = i * kRun;
    run(args.gate.data<float>() + begin, args.up.data<float>() + begin, std::min(kRun, elements - begin),
        y.data<float>() + begin);
  });
}

}  // namespace ridge
