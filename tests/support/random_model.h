// Small models of random weights, for tests that need a whole decoder.
#pragma once

#include "model/model.h"

#include <cstdint>

namespace ridge {

// Two layers with grouped queries, a context beyond one span of attention, and widths that are no powers of two.
ModelConfig small_config();

struct RandomModelOptions {
  ModelConfig config = small_config();
  Format matrices = Format::q4_1;
  Format embedding = Format::q8_0;
  std::uint64_t seed = 1;
};

// The same options give the same weights; on a virtual device, the same memory and no weights.
Model random_model(const Exec& exec, const RandomModelOptions& options = {});

}  // namespace ridge
