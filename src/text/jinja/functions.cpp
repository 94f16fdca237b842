#include "text/jinja/functions.h"

#include "text/jinja/arguments.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/objects.h"
#include "text/jinja/printing.h"

#include <locale.h>
#include <time.h>

#include <unordered_map>

namespace ridge::jinja {
namespace {

constexpr std::size_t kMaxRange = 100'000;  // as jinja2's sandbox
constexpr std::int64_t kMaxRangeBound = std::int64_t{1} << 60;
constexpr std::size_t kMaxTimeBytes = 4096;

Value range(Interpreter& in, const Args& args) {
  const Bound bound("range()", args, {"start", "stop", "step"});
  bound.need(0);
  for (std::size_t i = 0; i < args.positional.size(); ++i) {
    if (args.positional[i].is_none()) type_error("range(): 'NoneType' cannot be interpreted as an integer");
    const std::int64_t value = bound.integer(i, 0);
    if (value > kMaxRangeBound || value < -kMaxRangeBound) raise(ErrorKind::kLimit, "range(): {} is too large", value);
  }
  const std::int64_t start = bound.has(1) ? bound.integer(0, 0) : 0;
  const std::int64_t stop = bound.has(1) ? bound.integer(1, 0) : bound.integer(0, 0);
  const std::int64_t step = bound.integer(2, 1);
  if (step == 0) raise(ErrorKind::kRuntime, "range() arg 3 must not be zero");
  const std::int64_t span = step > 0 ? stop - start : start - stop;
  const std::int64_t stride = step > 0 ? step : -step;
  const auto count = span <= 0 ? std::size_t{0} : static_cast<std::size_t>((span - 1) / stride + 1);
  if (count > kMaxRange)
    raise(ErrorKind::kRuntime, "Range too big. The sandbox blocks ranges larger than MAX_RANGE ({}).", kMaxRange);
  in.budget().steps(1);
  return Value::object(std::make_shared<Range>(start, step, count));
}

// dict(pairs or mapping, **named).
Dict build_dict(Interpreter& in, const Args& args) {
  if (args.positional.size() > 1) type_error("dict expected at most 1 argument, got {}", args.positional.size());
  Dict dict;
  if (!args.positional.empty() && args.positional[0].is(Kind::kDict)) {
    in.budget().values(args.positional[0].as_dict().entries().size() * 2);
    dict = args.positional[0].as_dict();
  } else if (!args.positional.empty()) {
    for (const Value& pair : iterate(args.positional[0], in.budget())) {
      const Values parts = iterate(pair, in.budget());
      if (parts.size() != 2)
        raise(ErrorKind::kRuntime, "dict(): an element has length {}; 2 is required", parts.size());
      dict.set(parts[0], parts[1]);
    }
  }
  for (const auto& [name, value] : args.named) dict.set(name, value);
  return dict;
}

Value dict(Interpreter& in, const Args& args) {
  return Value::dict(build_dict(in, args));
}

Value make_namespace(Interpreter& in, const Args& args) {
  const auto space = std::make_shared<Namespace>();
  space->attributes = build_dict(in, args);
  in.keep(space);
  return Value::object(space);
}

Value cycler(Interpreter& /*in*/, const Args& args) {
  if (args.positional.empty()) raise(ErrorKind::kRuntime, "at least one item has to be provided");
  return Value::object(std::make_shared<Cycler>(Value::tuple(args.positional)));
}

Value joiner(Interpreter& /*in*/, const Args& args) {
  const Bound bound("joiner()", args, {"sep"});
  return Value::object(std::make_shared<Joiner>(bound.get(0, Value::text(", "))));
}

Value raise_exception(Interpreter& in, const Args& args) {
  const Bound bound("raise_exception()", args, {"message"});
  throw Failure(ErrorKind::kRaised, to_text(bound.need(0), in.budget()));
}

Value strftime_now(Interpreter& in, const Args& args) {
  const Bound bound("strftime_now()", args, {"format"});
  if (!in.now()) raise(ErrorKind::kRuntime, "strftime_now() needs the time, which this rendering was not given");
  const std::string& format = bound.need_text(0);
  if (format.empty()) return Value::text("");
  static const locale_t kPlain = ::newlocale(LC_TIME_MASK, "C", nullptr);
  // A space before the format tells an empty result from one that does not fit.
  std::string text(kMaxTimeBytes, '\0');
  text.resize(::strftime_l(text.data(), text.size(), (" " + format).c_str(), &*in.now(), kPlain));
  if (text.empty()) raise(ErrorKind::kLimit, "strftime_now(): more than {} bytes", kMaxTimeBytes);
  return Value::text(text.substr(1));
}

}  // namespace

std::optional<Value> global_function(std::string_view name) {
  using Global = Value (*)(Interpreter&, const Args&);
  static const std::unordered_map<std::string_view, Global> kFunctions = {
      {"cycler", cycler},
      {"dict", dict},
      {"joiner", joiner},
      {"namespace", make_namespace},
      {"raise_exception", raise_exception},
      {"range", range},
      {"strftime_now", strftime_now},
  };
  const auto found = kFunctions.find(name);
  if (found == kFunctions.end()) return std::nullopt;
  return make_function(std::string(name), found->second);
}

}  // namespace ridge::jinja
