#include "engine/sampler.h"

#include "core/error.h"
#include "core/rng.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace ridge {
namespace {

// Where exp_of_negative gives 0, and how far its argument may go.
constexpr float kZeroWeight = -100;

// Keeps the sampler's numbers apart from those of other users of a seed.
constexpr std::uint64_t kSamplerStream = 0x53414D504CU;

// e^x for x in [kZeroWeight, 0] in plain operations, so that a loop over it is vectorised and every machine gives the
// same bits; 0 below -87.7. Method: x = n ln 2 + r with |r| <= ln 2 / 2, then the Taylor polynomial of degree 6 for
// e^r.
inline float exp_of_negative(float x) {
  constexpr float kRound = 0x1.8p23F;  // adding and taking it away rounds to a whole number
  const float n = (x * 1.44269504F + kRound) - kRound;
  const float r = (x - n * 0.693359375F) - n * -2.12194440e-4F;
  float p = 1.0F / 720;
  p = p * r + 1.0F / 120;
  p = p * r + 1.0F / 24;
  p = p * r + 1.0F / 6;
  p = p * r + 0.5F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  const std::int32_t exponent = std::max(static_cast<std::int32_t>(n) + 127, 0);  // 0: the bits of zero
  return p * std::bit_cast<float>(exponent << 23);
}

// An integer that orders floats as their values do; those of NaN lie outside [key(-infinity), key(infinity)]. Integer
// maxima are vectorised where float maxima are not, because their order does not matter.
inline std::int32_t order_key(float value) {
  const auto bits = std::bit_cast<std::int32_t>(value + 0.0F);  // -0 becomes 0
  return bits ^ ((bits >> 31) & 0x7FFFFFFF);
}

// Throws Error unless some logit is finite and none is NaN or +infinity.
Largest checked_largest(const SampleArgs& args) {
  const Largest largest = largest_of(args.logits);
  if (std::isfinite(largest.value)) return largest;
  const auto position = args.history.size();
  if (largest.value < 0) fail("sampler: request {}, position {}: every logit is -infinity", args.request, position);
  const auto bad = std::find_if(args.logits.begin(), args.logits.end(), [](float x) { return !(x < INFINITY); });
  fail("sampler: request {}, position {}: the logit of token {} is {}", args.request, position,
       bad - args.logits.begin(), *bad);
}

}  // namespace

void check(const SamplingParams& params) {
  const auto within = [](float value, float low, float high) { return value >= low && value <= high; };
  require(within(params.temperature, 0, 100), "--temperature must be between 0 and 100, got {}", params.temperature);
  require(params.top_k >= 0, "--top-k must be 0 (off) or more, got {}", params.top_k);
  require(within(params.top_p, 0, 1) && params.top_p > 0, "--top-p must be above 0 and at most 1, got {}",
          params.top_p);
  require(within(params.min_p, 0, 1), "--min-p must be between 0 and 1, got {}", params.min_p);
  require(within(params.repeat_penalty, 0.01F, 100), "--repeat-penalty must be between 0.01 and 100, got {}",
          params.repeat_penalty);
  require(params.repeat_last >= -1, "--repeat-last must be -1 (all), 0 (off) or more, got {}", params.repeat_last);
}

Largest largest_of(std::span<const float> values) {
  constexpr std::size_t kBlock = 512;
  std::int32_t most = std::numeric_limits<std::int32_t>::min();
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  std::size_t best_block = 0;
  for (std::size_t begin = 0; begin < values.size(); begin += kBlock) {
    std::int32_t block_most = std::numeric_limits<std::int32_t>::min();
    for (const float value : values.subspan(begin, std::min(kBlock, values.size() - begin))) {
      const std::int32_t key = order_key(value);
      block_most = std::max(block_most, key);
      least = std::min(least, key);
    }
    if (block_most <= most) continue;
    most = block_most;
    best_block = begin;
  }
  if (most > order_key(INFINITY) || least < order_key(-INFINITY)) return {std::numeric_limits<float>::quiet_NaN(), 0};
  const auto first = std::find_if(values.begin() + static_cast<std::ptrdiff_t>(best_block), values.end(),
                                  [most](float value) { return order_key(value) == most; });
  return {*first, static_cast<std::size_t>(first - values.begin())};
}

Sampler::Sampler(std::int64_t vocabulary) {
  require(vocabulary > 0 && vocabulary <= std::numeric_limits<std::int32_t>::max(),
          "sampler: the vocabulary must have 1 to 2^31 - 1 tokens, got {}", vocabulary);
  const auto size = static_cast<std::size_t>(vocabulary);
  weights_.resize(size);
  candidates_.resize(size);
  seen_.resize(size);
}

std::int32_t Sampler::sample(const SampleArgs& args) {
  require(args.logits.size() == weights_.size(), "sampler: {} logits for a vocabulary of {}", args.logits.size(),
          weights_.size());
  penalise(args);
  const auto [largest, index] = checked_largest(args);
  const SamplingParams& params = args.params;
  if (params.temperature == 0) return static_cast<std::int32_t>(index);
  const float uniform = philox_uniform(params.seed, kSamplerStream, args.history.size());
  const bool cuts = params.top_k > 0 || params.top_p < 1;
  return cuts ? draw_from_best(args, largest, uniform) : draw_from_all(args, largest, uniform);
}

void Sampler::penalise(const SampleArgs& args) {
  const SamplingParams& params = args.params;
  if (params.repeat_penalty == 1 || params.repeat_last == 0) return;
  ++call_;
  const std::size_t last = params.repeat_last < 0
                               ? args.history.size()
                               : std::min(args.history.size(), static_cast<std::size_t>(params.repeat_last));
  for (const std::int32_t token : args.history.last(last)) {
    const auto id = static_cast<std::size_t>(token);
    if (seen_[id] == call_) continue;
    seen_[id] = call_;
    float& logit = args.logits[id];
    logit = logit > 0 ? logit / params.repeat_penalty : logit * params.repeat_penalty;
  }
}

double Sampler::weigh_all(const SampleArgs& args, float largest) {
  const float temperature = args.params.temperature;
  // Two loops, because GCC makes no vectors of one that clamps and goes on.
  std::transform(args.logits.begin(), args.logits.end(), weights_.begin(),
                 [=](float logit) { return std::max((logit - largest) / temperature, kZeroWeight); });
  std::transform(weights_.begin(), weights_.end(), weights_.begin(), exp_of_negative);
  double total = 0;
  for (const float weight : weights_) total += weight;
  return total;
}

// Without top-k and top-p nothing needs an order: tokens are picked among in the order of their ids.
std::int32_t Sampler::draw_from_all(const SampleArgs& args, float largest, float uniform) {
  double total = weigh_all(args, largest);
  const float least = args.params.min_p;  // the largest weight is 1
  if (least > 0) {
    total = 0;
    for (float& weight : weights_) {
      weight = weight < least ? 0.0F : weight;
      total += weight;
    }
  }
  const double target = uniform * total;
  double sum = 0;
  std::size_t picked = 0;
  for (std::size_t id = 0; id < weights_.size() && sum <= target; ++id) {
    if (weights_[id] == 0) continue;
    sum += weights_[id];
    picked = id;
  }
  return static_cast<std::int32_t>(picked);
}

std::int32_t Sampler::draw_from_best(const SampleArgs& args, float largest, float uniform) {
  const SamplingParams& params = args.params;
  std::size_t kept = params.top_k > 0 ? best_k(args, largest) : nucleus_candidates(args, largest);
  const double nucleus = params.top_p < 1 ? params.top_p * total_weight_ : std::numeric_limits<double>::infinity();
  double sum = 0;
  for (std::size_t i = 0; i < kept; ++i) {
    if (sum >= nucleus || candidates_[i].weight < params.min_p) {
      kept = i;
      break;
    }
    sum += candidates_[i].weight;
  }
  const double target = uniform * sum;
  double passed = 0;
  std::size_t picked = 0;
  for (std::size_t i = 0; i < kept && passed <= target; ++i) {
    passed += candidates_[i].weight;
    picked = i;
  }
  return candidates_[picked].id;
}

bool Sampler::comes_first(const Candidate& a, const Candidate& b) {
  return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
}

// Puts the k largest first, in order, and weighs them.
std::size_t Sampler::best_k(const SampleArgs& args, float largest) {
  for (std::size_t id = 0; id < candidates_.size(); ++id) {
    candidates_[id] = {args.logits[id], static_cast<std::int32_t>(id), 0};
  }
  const std::size_t k = std::min(candidates_.size(), static_cast<std::size_t>(args.params.top_k));
  std::partial_sort(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(k), candidates_.end(),
                    comes_first);
  total_weight_ = 0;
  for (std::size_t i = 0; i < k; ++i) {
    candidates_[i].weight =
        exp_of_negative(std::max((candidates_[i].logit - largest) / args.params.temperature, kZeroWeight));
    total_weight_ += candidates_[i].weight;
  }
  return k;
}

// Puts the nucleus first, in order, and maybe a few more. A token lighter than (1 - p) * total / V is not in it: all
// such tokens together weigh less than (1 - p) * total. Of the others, only as many are put in order as it takes.
std::size_t Sampler::nucleus_candidates(const SampleArgs& args, float largest) {
  total_weight_ = weigh_all(args, largest);
  const double least = (1.0 - args.params.top_p) * total_weight_ / static_cast<double>(weights_.size());
  std::size_t count = 0;
  for (std::size_t id = 0; id < weights_.size(); ++id) {
    if (weights_[id] < least) continue;
    candidates_[count++] = {args.logits[id], static_cast<std::int32_t>(id), weights_[id]};
  }
  const auto begin = candidates_.begin();
  double sum = 0;
  std::size_t sorted = 0;
  for (std::size_t step = 64; sorted < count && sum < args.params.top_p * total_weight_; step *= 4) {
    const std::size_t next = std::min(count, sorted + step);
    std::partial_sort(begin + static_cast<std::ptrdiff_t>(sorted), begin + static_cast<std::ptrdiff_t>(next),
                      begin + static_cast<std::ptrdiff_t>(count), comes_first);
    for (; sorted < next; ++sorted) sum += candidates_[sorted].weight;
  }
  return sorted;
}

}  // namespace ridge
