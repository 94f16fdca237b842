// The tensors of a decoder by name, with the shapes that its configuration asks for and where they go.
#pragma once

#include "model/decoder.h"
#include "model/source.h"

#include <string>
#include <vector>

namespace ridge {

// A tensor that a model must have. Exactly one of `matrix` and `vector` says where it goes.
struct WantedTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  Weight* matrix = nullptr;
  Tensor* vector = nullptr;
};

// The wanted tensors of a decoder; `weights` is given its layers and must stay where it is.
std::vector<WantedTensor> wanted_tensors(const ModelConfig& config, DecoderWeights& weights);

// Holds the source against the table. Throws one Error that lists every missing, misshapen and unknown tensor.
void check_tensors(const ModelSource& source, const std::vector<WantedTensor>& wanted);

}  // namespace ridge
