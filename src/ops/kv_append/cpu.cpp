#include "ops/kv_append/cpu.h"

#include "device/cpu/path.h"
#include "ops/rows.h"

namespace ridge {

void kv_append_cpu(ThreadPool& pool, const KvAppendArgs& args) {
  const KvAppendPosition append =
      choose_path(kv_append_position_portable, kv_append_position_avx2, kv_append_position_avx512);
  const Tensor& cached = args.cache->keys;
  const std::int64_t heads = cached.size(1);
  const std::int64_t head_size = cached.size(2);
  const std::int64_t block_size = cached.size(3);
  const auto element_bytes = static_cast<std::int64_t>(dtype_bytes(cached.dtype()));
  for_rows(pool, args.keys.size(0), 2 * heads * head_size, [&](std::int64_t t) {
    const std::int64_t slot = args.slots[static_cast<std::size_t>(t)];
    const std::int64_t block = slot / block_size * heads * head_size * block_size;
    const std::int64_t offset = slot % block_size;
    append({.keys = args.keys.data<float>() + t * heads * head_size,
            .values = args.values.data<float>() + t * heads * head_size,
            .key_out = cached.data<std::byte>() + element_bytes * (block + offset),
            .value_out = args.cache->values.data<std::byte>() + element_bytes * (block + offset * head_size),
            .heads = heads,
            .head_size = head_size,
            .block_size = block_size,
            .f16 = cached.dtype() == DType::f16});
  });
}

}  // namespace ridge
