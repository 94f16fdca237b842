#include "ops/linear/cpu.h"

#include "device/cpu/path.h"

#include <algorithm>

namespace ridge {
namespace {

// The quantised rows that an item goes over should stay in the second-level cache, its weights too where rows are few.
constexpr std::int64_t kRowBytesPerItem = 192 * 1024;
constexpr std::int64_t kMostBlocksPerItem = 32;
// Items are many, so that a thread that is held up delays little, but not so small that claiming them shows.
constexpr std::int64_t kItemsPerThread = 8;
constexpr std::int64_t kLeastProductsPerItem = 32 * 1024;

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

bool is_quantised(const Weight* weight) {
  return weight != nullptr && packed_format(weight->format).bits != 0;
}

// The rows of x in int8, in `panels`.
void quantise_rows(ThreadPool& pool, const Tensor& x, std::byte* panels) {
  const std::int64_t t = x.size(0);
  const std::int64_t k = x.size(1);
  const QuantisePanelFunction quantise =
      choose_path(quantise_panel_portable, quantise_panel_avx2, quantise_panel_avx512);
  constexpr std::int64_t kElementsPerItem = 16384;
  const std::int64_t rows_per_item = kPanelRows * std::max<std::int64_t>(1, kElementsPerItem / (kPanelRows * k + 1));
  pool.parallel_for(divide_up(t, rows_per_item), [&](std::int64_t item, int) {
    const std::int64_t end = std::min(t, (item + 1) * rows_per_item);
    for (std::int64_t row = item * rows_per_item; row < end; row += kPanelRows) {
      quantise(x.data<float>() + row * k, k, std::min(kPanelRows, end - row), panels + row * quantised_row_bytes(k));
    }
  });
}

// How the work of a call is cut: items are (rows of x) times (blocks of sixteen outputs, all weights in a row).
struct Cut {
  std::int64_t rows_per_item;
  std::int64_t row_items;
  std::int64_t blocks_per_item;
  std::int64_t block_items;

  Cut(std::int64_t t, std::int64_t k, std::int64_t blocks, int threads) {
    constexpr std::int64_t kRowStep = 2 * kPanelRows;
    rows_per_item = kRowStep * std::max<std::int64_t>(1, kRowBytesPerItem / (kRowStep * k + 1));
    row_items = divide_up(t, rows_per_item);
    const std::int64_t products_per_block = kRowsOfBlock * k * std::min(t, rows_per_item) + 1;
    const std::int64_t least = divide_up(kLeastProductsPerItem, products_per_block);
    const std::int64_t wanted = std::max(least, blocks * row_items / (threads * kItemsPerThread));
    blocks_per_item = std::clamp<std::int64_t>(wanted, 1, kMostBlocksPerItem);
    block_items = divide_up(blocks, blocks_per_item);
  }
};

LinearTile tile_of(const LinearArgs& args, const LinearOutputs& y, std::int64_t block, const std::byte* quantised) {
  std::size_t i = 0;
  while (block >= row_blocks(args.weights[i]->n)) block -= row_blocks(args.weights[i++]->n);
  const Weight& weight = *args.weights[i];
  const std::int64_t n0 = block * kRowsOfBlock;
  return {.format = weight.format,
          .k = weight.k,
          .weights = weight.bytes.data<std::byte>() + block * packed_block_bytes(weight.format, weight.k),
          .x = args.x.data<float>(),
          .quantised = quantised,
          .first = 0,
          .end = 0,
          .y = y[i].data<float>() + n0,
          .y_stride = weight.n,
          .lanes = std::min(kRowsOfBlock, weight.n - n0),
          .bias = args.biases[i].defined() ? args.biases[i].data<float>() + n0 : nullptr,
          .residual = args.residual.defined() ? args.residual.data<float>() + n0 : nullptr};
}

}  // namespace

std::int64_t linear_workspace_bytes(const LinearArgs& args) {
  if (std::none_of(args.weights.begin(), args.weights.end(), is_quantised)) return 0;
  return args.x.size(0) * quantised_row_bytes(args.x.size(1));
}

void linear_cpu(ThreadPool& pool, const LinearArgs& args, const Tensor& workspace, const LinearOutputs& y) {
  const std::int64_t t = args.x.size(0);
  std::int64_t blocks = 0;
  for (const Weight* weight : args.weights) blocks += weight == nullptr ? 0 : row_blocks(weight->n);
  if (t == 0 || blocks == 0) return;
  std::byte* quantised = workspace.defined() ? workspace.data<std::byte>() : nullptr;
  if (quantised != nullptr) quantise_rows(pool, args.x, quantised);
  const LinearTileFunction run = choose_path(linear_tile_portable, linear_tile_avx2, linear_tile_avx512);
  const Cut cut(t, args.x.size(1), blocks, pool.threads());
  pool.parallel_for(cut.row_items * cut.block_items, [&](std::int64_t item, int) {
    const std::int64_t first_block = item % cut.block_items * cut.blocks_per_item;
    const std::int64_t end_block = std::min(blocks, first_block + cut.blocks_per_item);
    for (std::int64_t block = first_block; block < end_block; ++block) {
      LinearTile tile = tile_of(args, y, block, quantised);
      tile.first = item / cut.block_items * cut.rows_per_item;
      tile.end = std::min(t, tile.first + cut.rows_per_item);
      run(tile);
    }
  });
}

}  // namespace ridge
