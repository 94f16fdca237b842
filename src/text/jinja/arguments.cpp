#include "text/jinja/arguments.h"

#include <algorithm>

namespace ridge::jinja {

Bound::Bound(std::string_view function, const Args& args, std::initializer_list<std::string_view> parameters)
    : function_(function), parameters_(parameters), values_(parameters.size(), nullptr) {
  if (args.positional.size() > parameters_.size())
    type_error("{} takes at most {} argument(s), got {}", function_, parameters_.size(), args.positional.size());
  for (std::size_t i = 0; i < args.positional.size(); ++i) values_[i] = &args.positional[i];
  for (const auto& [name, value] : args.named) {
    const auto found = std::find(parameters_.begin(), parameters_.end(), name);
    if (found == parameters_.end()) type_error("{} got an unexpected keyword argument '{}'", function_, name);
    const Value*& slot = values_[static_cast<std::size_t>(found - parameters_.begin())];
    if (slot != nullptr) type_error("{} got multiple values for argument '{}'", function_, name);
    slot = &value;
  }
}

const Value& Bound::need(std::size_t index) const {
  if (!has(index)) type_error("{} misses argument '{}'", function_, parameters_[index]);
  return *values_[index];
}

Value Bound::get(std::size_t index, const Value& fallback) const {
  return has(index) ? *values_[index] : fallback;
}

std::int64_t Bound::integer(std::size_t index, std::int64_t fallback) const {
  if (!given(index)) return fallback;
  const Value& value = need(index);
  if (value.is_undefined()) value.fail_undefined();
  if (!value.is_integral())
    type_error("{}: '{}' must be an integer, not {}", function_, parameters_[index], value.type_name());
  return value.as_int();
}

const std::string* Bound::text(std::size_t index) const {
  return given(index) ? &need_text(index) : nullptr;
}

const std::string& Bound::need_text(std::size_t index) const {
  const Value& value = need(index);
  if (!value.is_text()) type_error("{}: '{}' must be str, not {}", function_, parameters_[index], value.type_name());
  return value.as_text();
}

bool Bound::truth(std::size_t index, bool fallback) const {
  return has(index) ? need(index).truthy() : fallback;
}

}  // namespace ridge::jinja
