// The families of models that the decoder runs: each is one function and one row.
#pragma once

#include "model/config.h"
#include "model/hyperparameters.h"

#include <string>

namespace ridge {

// Finds the file's family and reads its configuration. Throws Error naming an unknown architecture and those that are
// known, or a hyperparameter that is missing or contradicts another.
ModelConfig read_config(const Hyperparameters& file);

}  // namespace ridge
