// A case of an operator: made once in its cases.h, run by tests (against the reference), by benchmarks and by
// calibration.
#pragma once

#include "ops/exec.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ridge {

enum CaseTag : unsigned { kTestCase = 1, kBenchCase = 2, kCalibrationCase = 4 };

// How far a result is from the reference, in units of its tolerance; NaN counts as infinitely far.
struct CheckReport {
  double worst = 0;     // largest |result - reference| / tolerance: at most 1 passes
  std::string message;  // worst element: index, expected, got, tolerance
  [[nodiscard]] bool ok() const { return worst <= 1; }
};

// Compares `got` with the double reference under a tolerance for each element. A result that is not within its
// tolerance, NaN included, fails (`!(error <= tolerance)`).
CheckReport compare(std::span<const float> got, std::span<const double> expected, std::span<const double> tolerance);

// A prepared case: operands on a device. On a virtual device only run() may be called.
class CaseRun {
 public:
  virtual ~CaseRun() = default;
  // One call of the operator. Calls take turns on the operand sets, so that a run over all of them touches the
  // footprint asked for.
  virtual void run(const Exec& exec) = 0;
  // Holds the last result against the reference.
  virtual CheckReport check() = 0;
  // The last result, where it is one tensor of its own: tests look at the memory next to it.
  [[nodiscard]] virtual Tensor output() const { return {}; }
};

struct Case {
  std::string name;  // "rows=31 channels=576"
  unsigned tags = 0;
  // Operands are drawn from `seed`; enough sets of the large ones are made to cover `footprint_bytes` (0: one set).
  std::function<std::unique_ptr<CaseRun>(Device& device, std::uint64_t seed, double footprint_bytes)> make;
};

// A float tensor in device memory filled with N(0, 1) times `scale`; left untouched on a virtual device.
Tensor random_tensor(Device& device, const Shape& shape, std::uint64_t seed, float scale = 1);

// A float tensor filled with NaN, so that an element that is never written shows.
Tensor nan_tensor(Device& device, const Shape& shape);

// An operator as tools see it. Every folder ops/<op>/ defines `OpInfo <op>_info()` in cases.cpp; CMake lists them.
struct OpInfo {
  const char* name;
  std::vector<Case> cases;
};

// Every operator of the tree.
std::vector<OpInfo> all_operators();

}  // namespace ridge
