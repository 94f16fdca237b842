// A model in memory, and its loading.
#pragma once

#include "model/decoder.h"
#include "model/source.h"

#include <functional>

namespace ridge {

struct Model {
  ModelConfig config;
  DecoderWeights weights;
};

struct LoadOptions {
  bool as_f32 = false;                                      // dequantise every matrix at load
  std::function<void(double fraction)> progress = nullptr;  // of the bytes
};

// Packs every tensor into the device's memory, one by one, giving the file's pages back, so one copy is resident. On a
// virtual device sizes are enough. Throws Error: all missing, extra and misshapen tensors at once; a CPU device whose
// free memory does not hold the weights (before any is read, with both numbers); a source without weights on a CPU
// device.
Model load_model(const Exec& exec, const ModelSource& source, const LoadOptions& options = {});

// What the packed matrices and norms take.
std::size_t weight_bytes(const ModelSource& source, const LoadOptions& options = {});

// Weights as the file counts them: the sum of all tensors' elements.
std::int64_t parameter_count(const ModelSource& source);

}  // namespace ridge
