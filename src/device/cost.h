// What one operator call costs, said before it runs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ridge {

// Arithmetic by type of its multiplications: each has its own ceiling.
enum class Arithmetic : std::uint8_t { f32, bf16, i8 };
inline constexpr int kArithmetics = 3;

// Bytes of one tensor that a call moves. Calls that touch the same key touch the same bytes, so the distance to their
// last use tells which memory they come from.
struct Touch {
  const void* key = nullptr;
  double bytes = 0;
  bool write = false;
};

// A fixed list of touches and counts of operations (a multiply-add is two).
struct Work {
  static constexpr int kMaxTouches = 12;

  std::array<Touch, kMaxTouches> touches{};
  int touch_count = 0;
  std::array<double, kArithmetics> operations{};

  // Ignores empty touches. More than kMaxTouches are a bug of the operator's cost function and throw Error.
  void read(const void* key, double bytes) { touch({key, bytes, false}); }
  void write(const void* key, double bytes) { touch({key, bytes, true}); }
  double& operator[](Arithmetic type) { return operations[static_cast<std::size_t>(type)]; }
  double operator[](Arithmetic type) const { return operations[static_cast<std::size_t>(type)]; }
  [[nodiscard]] double bytes() const;

 private:
  void touch(const Touch& touch);
};

// Where a call stands among the cases that its operator was measured on.
struct ShapeClass {
  const char* variant = "";  // operator and format: "linear/q4_1", "attention/f16"
  double rows = 1;           // rows that share an operand: tokens of the step
  double size = 1;           // what one row costs: see each operator's cost()
};

struct Cost {
  Work least;   // what the contract must move and compute; feeds the bound
  Work actual;  // what the plan will move and compute; feeds the expected time
  ShapeClass shape;
};

// One operator call as profilers, traces and the virtual device see it.
struct OpCall {
  const char* op = "";
  std::array<std::int64_t, 4> dims{};  // the sizes that matter, in the operator's own order
  Cost cost;
};

// Sees every call of an Exec: profile and trace.
class OpObserver {
 public:
  virtual ~OpObserver() = default;
  // Times in seconds on the device's clock.
  virtual void on_op(const OpCall& call, double start, double end) = 0;
};

}  // namespace ridge
