#include "ops/embedding/embedding.h"

#include "core/error.h"
#include "ops/linear/pack.h"
#include "ops/rows.h"

#include <vector>

namespace ridge {

void check(const EmbeddingArgs& args) {
  require(args.table != nullptr && args.table->defined(), "embedding: no table given");
}

Cost cost(const EmbeddingArgs& args) {
  const auto rows = static_cast<double>(args.tokens.size());
  Cost cost;
  // Rows of the table lie anywhere in it, so they are charged to a key of their own and not to the whole table.
  cost.least.read(args.table, rows * static_cast<double>(row_bytes(args.table->format, args.table->k)));
  cost.least.write(nullptr, 4 * rows * static_cast<double>(args.table->k));
  cost.actual = cost.least;
  cost.shape = {"embedding", rows, static_cast<double>(args.table->k)};
  return cost;
}

Tensor embedding(const Exec& exec, const EmbeddingArgs& args) {
  check(args);
  const std::int64_t channels = args.table->k;
  const auto rows = static_cast<std::int64_t>(args.tokens.size());
  Tensor y = exec.empty({rows, channels}, DType::f32);
  exec.run(
      "embedding", {rows, channels}, [&] { return cost(args); },
      [&] {
        for (const std::int32_t token : args.tokens) {
          require(token >= 0 && token < args.table->n, "embedding: token {} is not in the table of {}", token,
                  args.table->n);
        }
        for_rows(exec.pool(), rows, channels, [&](std::int64_t t) {
          unpack_row(*args.table, args.tokens[static_cast<std::size_t>(t)], y.data<float>() + t * channels);
        });
      });
  return y;
}

void embedding_reference(const EmbeddingArgs& args, double* y) {
  std::vector<float> row(static_cast<std::size_t>(args.table->k));
  for (std::size_t t = 0; t < args.tokens.size(); ++t) {
    unpack_row(*args.table, args.tokens[t], row.data());
    std::copy(row.begin(), row.end(), y + t * row.size());
  }
}

}  // namespace ridge
