#include "ops/kv_append/kv_append.h"

#include "core/error.h"
#include "ops/kv_append/cpu.h"

namespace ridge {

void check(const KvLayer& cache, const char* op) {
  const Tensor& keys = cache.keys;
  require(keys.rank() == 4 && (keys.dtype() == DType::f16 || keys.dtype() == DType::f32) && keys.is_dense() &&
              keys.size(1) >= 1 && keys.size(2) >= 1 && keys.size(3) >= 1,
          "{}: cached keys must be [blocks, Hkv, D, block_size] f16 or f32 and dense, got {} {}", op,
          dtype_name(keys.dtype()), to_string(keys.shape()));
  const Shape shape{keys.size(0), keys.size(1), keys.size(3), keys.size(2)};
  require(cache.values.shape() == shape && cache.values.dtype() == keys.dtype() && cache.values.is_dense(),
          "{}: cached values must be {} {} and dense, got {} {}", op, to_string(shape), dtype_name(keys.dtype()),
          dtype_name(cache.values.dtype()), to_string(cache.values.shape()));
}

void check(const KvAppendArgs& args) {
  require(args.cache != nullptr, "kv_append: cache must be given");
  check(*args.cache, "kv_append");
  const Tensor& cached = args.cache->keys;
  const Shape shape{static_cast<std::int64_t>(args.slots.size()), cached.size(1) * cached.size(2)};
  for (const Tensor* x : {&args.keys, &args.values}) {
    require(x->shape() == shape && x->dtype() == DType::f32 && x->is_dense(),
            "kv_append: keys and values must be {} f32 and dense, got {} {}", to_string(shape), dtype_name(x->dtype()),
            to_string(x->shape()));
  }
  const std::int64_t slots = cached.size(0) * cached.size(3);
  for (const std::int32_t slot : args.slots) {
    require(slot >= 0 && slot < slots, "kv_append: slot must be in [0, {}), got {}", slots, slot);
  }
}

Cost cost(const KvAppendArgs& args) {
  const auto elements = static_cast<double>(args.keys.elements());
  const DType dtype = args.cache->keys.dtype();
  const double cached_bytes = static_cast<double>(dtype_bytes(dtype)) * elements;
  Cost cost;
  cost.least.read(args.keys.data<void>(), 4 * elements);
  cost.least.read(args.values.data<void>(), 4 * elements);
  cost.least.read(args.slots.data(), 4 * static_cast<double>(args.slots.size()));
  cost.least.write(args.cache->keys.data<void>(), cached_bytes);
  cost.least.write(args.cache->values.data<void>(), cached_bytes);
  cost.actual = cost.least;
  cost.shape = {dtype == DType::f16 ? "kv_append/f16" : "kv_append/f32", static_cast<double>(args.keys.size(0)),
                static_cast<double>(args.keys.size(1))};
  return cost;
}

void kv_append(const Exec& exec, const KvAppendArgs& args) {
  check(args);
  const Tensor& cached = args.cache->keys;
  exec.run(
      "kv_append", {args.keys.size(0), cached.size(1), cached.size(2), cached.size(3)}, [&] { return cost(args); },
      [&] { kv_append_cpu(exec.pool(), args); });
}

}  // namespace ridge
