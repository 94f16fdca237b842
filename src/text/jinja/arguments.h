// The arguments of a call, bound to the parameter names of a filter, test, method or function.
#pragma once

#include "text/jinja/value.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::jinja {

class Bound {
 public:
  // Throws when there are too many arguments, an unknown name, or one argument twice. `args` must outlive this.
  Bound(std::string_view function, const Args& args, std::initializer_list<std::string_view> parameters);

  [[nodiscard]] bool has(std::size_t index) const { return values_[index] != nullptr; }
  [[nodiscard]] bool given(std::size_t index) const {
    return has(index) && !values_[index]->is_none();
  }                                            // and not None
  const Value& need(std::size_t index) const;  // throws when absent
  [[nodiscard]] Value get(std::size_t index, const Value& fallback) const;
  // The fallback stands for an absent argument and for None; a value of another type throws.
  [[nodiscard]] std::int64_t integer(std::size_t index, std::int64_t fallback) const;
  [[nodiscard]] const std::string* text(std::size_t index) const;  // null for absent and None
  const std::string& need_text(std::size_t index) const;
  [[nodiscard]] bool truth(std::size_t index, bool fallback = false) const;

 private:
  std::string_view function_;
  std::vector<std::string_view> parameters_;
  std::vector<const Value*> values_;
};

}  // namespace ridge::jinja
