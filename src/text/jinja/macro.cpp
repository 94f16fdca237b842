// Calls of macros, as jinja2's Macro class binds them.
#include "text/jinja/depth.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/objects.h"

#include <algorithm>
#include <utility>

namespace ridge::jinja {
namespace {

using Named = std::vector<std::pair<std::string, Value>>;

// Takes the argument of that name out of the others; nothing when there is none.
std::optional<Value> take(Named& named, std::string_view name) {
  std::optional<Value> value;
  const auto found = std::find_if(named.begin(), named.end(), [&](const auto& entry) { return entry.first == name; });
  if (found != named.end()) {
    value = found->second;
    named.erase(found);
  }
  return value;
}

Value rest_of(const Values& positional, std::size_t from) {
  if (positional.size() <= from) return Value::tuple({});
  return Value::tuple(Values(positional.begin() + static_cast<std::ptrdiff_t>(from), positional.end()));
}

Value dict_of(const Named& named) {
  Dict dict;
  for (const auto& [name, value] : named) dict.set(name, value);
  return Value::dict(std::move(dict));
}

}  // namespace

std::string Macro::repr(Budget& /*budget*/) const {
  return signature.name.empty() ? "<Macro anonymous>" : fmt::format("<Macro '{}'>", signature.name);
}

std::optional<Value> Macro::attribute(std::string_view name) {
  if (name == "name") return signature.name.empty() ? Value::none() : Value::text(signature.name);
  if (name == "catch_kwargs") return Value::boolean(signature.uses_kwargs);
  if (name == "catch_varargs") return Value::boolean(signature.uses_varargs);
  if (name == "caller") return Value::boolean(signature.uses_caller);
  if (name != "arguments") return std::nullopt;
  Values names;
  for (const Parameter& parameter : signature.parameters) names.push_back(Value::text(parameter.name));
  return Value::tuple(std::move(names));
}

Value Macro::call(Interpreter& interpreter, const Args& args) {
  return interpreter.call_macro(*this, args);
}

Value Interpreter::call_macro(const Macro& macro, const Args& args) {
  const DepthGuard deeper(depth_, budget_);
  const auto scope = std::make_shared<Scope>(macro.scope);
  const ScopePtr before = std::exchange(scope_, scope);
  std::string text;
  std::string* const out = std::exchange(out_, &text);
  try {
    bind_parameters(macro, args, *scope);
    execute(macro.body);
  } catch (...) {
    scope_ = before;
    out_ = out;
    throw;
  }
  scope_ = before;
  out_ = out;
  return Value::text(std::move(text));
}

void Interpreter::bind_parameters(const Macro& macro, const Args& args, Scope& scope) {
  const Signature& signature = macro.signature;
  const std::string shown = signature.name.empty() ? "None" : fmt::format("'{}'", signature.name);
  Named named = args.named;
  bool found_caller = false;
  std::vector<std::optional<Value>> values;
  for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
    const std::string& name = signature.parameters[i].name;
    const bool positional = i < args.positional.size();
    values.push_back(positional ? std::optional(args.positional[i]) : take(named, name));
    found_caller = found_caller || name == "caller";
  }
  if (signature.uses_caller && !found_caller) {
    const auto caller = take(named, "caller");
    scope.variables["caller"] = caller ? *caller : Value::undefined("No caller defined");
  }
  if (signature.uses_kwargs) {
    scope.variables["kwargs"] = dict_of(named);
  } else if (!named.empty()) {
    type_error("macro {} takes no keyword argument '{:.100}'", shown, named.front().first);
  }
  if (signature.uses_varargs) {
    scope.variables["varargs"] = rest_of(args.positional, values.size());
  } else if (args.positional.size() > values.size()) {
    type_error("macro {} takes not more than {} argument(s)", shown, values.size());
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Parameter& parameter = signature.parameters[i];
    if (!values[i] && parameter.fallback != nullptr) values[i] = evaluate(*parameter.fallback);
    scope.variables[parameter.name] =
        values[i] ? *values[i] : Value::undefined(fmt::format("parameter '{:.100}' was not provided", parameter.name));
  }
}

}  // namespace ridge::jinja
