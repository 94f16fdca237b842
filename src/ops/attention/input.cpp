#include "ops/attention/input.h"

#include "core/half.h"
#include "core/rng.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace ridge {
namespace {

constexpr std::uint64_t kNoises = 8191;  // a prime: rows of any width start at other places

void set(const Tensor& x, std::int64_t i, float value) {
  if (x.dtype() == DType::f16) {
    x.data<std::uint16_t>()[i] = to_half(value).bits;
  } else {
    x.data<float>()[i] = value;
  }
}

}  // namespace

AttentionInput::AttentionInput(Device& device, const AttentionSizes& sizes, std::uint64_t seed, double footprint_bytes,
                               bool shuffled)
    : sizes_(sizes) {
  PhiloxStream random(seed);
  std::generate_n(std::back_inserter(noise_), kNoises, [&] { return to_float(to_half(random.normal())); });
  lay_out(shuffled, seed);
  const std::int64_t rows = slices_.empty() ? 0 : slices_.back().first_row + slices_.back().rows;
  const auto blocks = static_cast<std::int64_t>(block_table_.size());
  const Shape key_shape{blocks, sizes.kv_heads, sizes.head_size, sizes.block_size};
  const Shape value_shape{blocks, sizes.kv_heads, sizes.block_size, sizes.head_size};
  q_ = device.memory().allocate({rows, sizes.heads * sizes.head_size}, DType::f32, MemoryKind::activations);
  const double set_bytes =
      2.0 * static_cast<double>(key_shape.elements()) * static_cast<double>(dtype_bytes(sizes.dtype));
  const auto copies = std::max<std::int64_t>(1, std::llround(footprint_bytes / std::max(1.0, set_bytes)));
  for (std::int64_t copy = 0; copy < copies; ++copy) {
    caches_.push_back({.keys = device.memory().allocate(key_shape, sizes.dtype, MemoryKind::kv),
                       .values = device.memory().allocate(value_shape, sizes.dtype, MemoryKind::kv)});
  }
  if (device.kind() != DeviceKind::cpu) return;
  fill_q();
  fill_cache(caches_.front());
  for (std::size_t copy = 1; copy < caches_.size(); ++copy) {
    std::memcpy(caches_[copy].keys.data<void>(), caches_[0].keys.data<void>(), caches_[0].keys.bytes());
    std::memcpy(caches_[copy].values.data<void>(), caches_[0].values.data<void>(), caches_[0].values.bytes());
  }
}

AttentionArgs AttentionInput::args(std::size_t copy) const {
  return {.q = q_,
          .cache = &caches_[copy],
          .view = {.slices = slices_, .block_table = block_table_, .block_size = sizes_.block_size},
          .heads = sizes_.heads,
          .scale = 1 / std::sqrt(static_cast<float>(sizes_.head_size))};
}

float AttentionInput::noise(std::uint64_t index) const {
  return noise_[index % kNoises];
}

float AttentionInput::key(std::size_t sequence, std::int64_t position, std::int64_t kv_head, std::int64_t d) const {
  const auto row = static_cast<std::uint64_t>(position * sizes_.kv_heads + kv_head);
  return noise(1000 * sequence + row * static_cast<std::uint64_t>(sizes_.head_size) + static_cast<std::uint64_t>(d));
}

float AttentionInput::value(std::size_t sequence, std::int64_t position, std::int64_t kv_head, std::int64_t d) const {
  return key(sequence + 3, position, kv_head, d);
}

float AttentionInput::query(std::size_t sequence, std::int64_t position, std::int64_t head, std::int64_t d) const {
  const auto row = static_cast<std::uint64_t>(position * sizes_.heads + head);
  return sizes_.q_scale * noise(777 * sequence + 500 + row * static_cast<std::uint64_t>(sizes_.head_size) +
                                static_cast<std::uint64_t>(d));
}

void AttentionInput::lay_out(bool shuffled, std::uint64_t seed) {
  std::int32_t row = 0;
  std::int32_t block = 0;
  for (const auto& [rows, context] : sizes_.slices) {
    slices_.push_back({.first_row = row, .rows = rows, .context = context, .first_block = block});
    row += rows;
    block += (context + sizes_.block_size - 1) / sizes_.block_size;
  }
  block_table_.resize(static_cast<std::size_t>(block));
  std::iota(block_table_.begin(), block_table_.end(), 0);
  PhiloxStream random(seed, 1);
  for (std::size_t i = block_table_.size(); shuffled && i > 1; --i) {
    std::swap(block_table_[i - 1], block_table_[random.below(static_cast<std::uint32_t>(i))]);
  }
}

void AttentionInput::fill_q() {
  float* q = q_.data<float>();
  for (std::size_t s = 0; s < slices_.size(); ++s) {
    for (std::int64_t p = slices_[s].context - slices_[s].rows; p < slices_[s].context; ++p) {
      for (std::int64_t h = 0; h < sizes_.heads; ++h) {
        for (std::int64_t d = 0; d < sizes_.head_size; ++d) *q++ = query(s, p, h, d);
      }
    }
  }
}

void AttentionInput::fill_cache(const KvLayer& cache) const {
  for (const Tensor* x : {&cache.keys, &cache.values}) std::memset(x->data<void>(), 0xFF, x->bytes());
  const std::int64_t page_elements = sizes_.head_size * sizes_.block_size;
  for (std::size_t s = 0; s < slices_.size(); ++s) {
    for (std::int64_t p = 0; p < slices_[s].context; ++p) {
      const auto entry = static_cast<std::size_t>(slices_[s].first_block + p / sizes_.block_size);
      const std::int64_t offset = p % sizes_.block_size;
      for (std::int64_t h = 0; h < sizes_.kv_heads; ++h) {
        const std::int64_t page = (block_table_[entry] * sizes_.kv_heads + h) * page_elements;
        for (std::int64_t d = 0; d < sizes_.head_size; ++d) {
          set(cache.keys, page + d * sizes_.block_size + offset, key(s, p, h, d));
          set(cache.values, page + offset * sizes_.head_size + d, value(s, p, h, d));
        }
      }
    }
  }
}

}  // namespace ridge
