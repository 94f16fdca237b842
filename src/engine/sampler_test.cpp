#include "engine/sampler.h"

#include "core/error.h"
#include "core/rng.h"
#include "support/error_of.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <string>

namespace ridge {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

std::int32_t sample(Floats logits, const SamplingParams& params, const Ints& history = {}) {
  Sampler sampler(static_cast<std::int64_t>(logits.size()));
  return sampler.sample({.logits = logits, .history = history, .params = params});
}

// Logits whose softmax is `probabilities`.
Floats logits_of(const std::vector<double>& probabilities) {
  Floats logits;
  for (const double p : probabilities) logits.push_back(static_cast<float>(std::log(p)));
  return logits;
}

// How often each token comes over many positions of one sequence.
std::map<std::int32_t, int> counts(const Floats& logits, const SamplingParams& params, int draws) {
  Sampler sampler(static_cast<std::int64_t>(logits.size()));
  std::map<std::int32_t, int> counted;
  Ints history;
  for (int i = 0; i < draws; ++i) {
    Floats scratch = logits;
    history.push_back(0);
    ++counted[sampler.sample({.logits = scratch, .history = history, .params = params})];
  }
  return counted;
}

// Holds counts against probabilities: within 5 standard deviations, and nothing where the probability is 0.
void expect_distribution(const std::map<std::int32_t, int>& counted, const std::vector<double>& probabilities) {
  const int draws =
      std::accumulate(counted.begin(), counted.end(), 0, [](int sum, const auto& entry) { return sum + entry.second; });
  for (std::size_t id = 0; id < probabilities.size(); ++id) {
    const auto found = counted.find(static_cast<std::int32_t>(id));
    const double got = found == counted.end() ? 0 : found->second;
    const double expected = probabilities[id] * draws;
    EXPECT_LE(std::fabs(got - expected), 5 * std::sqrt(expected * (1 - probabilities[id]))) << "token " << id;
  }
}

TEST(Sampler, GreedyTakesTheLargestAndTheLowestIdAmongEquals) {
  for (const std::size_t size : {1U, 15U, 16U, 17U, 33U, 1000U}) {
    for (std::size_t at = 0; at < size; at += std::max<std::size_t>(1, size / 7)) {
      Floats logits(size, -3.0F);
      logits[at] = -1;
      EXPECT_EQ(sample(logits, {}), static_cast<std::int32_t>(at)) << size;
      logits[size - 1] = -1;
      EXPECT_EQ(sample(logits, {}), static_cast<std::int32_t>(at)) << size;
    }
  }
  EXPECT_EQ(sample({-INFINITY, -INFINITY, -5}, {}), 2);
  EXPECT_EQ(sample({0.0F, -0.0F}, {}), 0);
}

TEST(Sampler, RefusesLogitsThatAreNotNumbers) {
  Sampler sampler(20);
  const auto with = [&](float value, std::size_t at, float temperature) {
    Floats logits(20, 1.0F);
    logits[at] = value;
    const Ints history(7, 0);
    return error_of([&] {
      sampler.sample({.logits = logits, .history = history, .params = {.temperature = temperature}, .request = 3});
    });
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float temperature : {0.0F, 1.0F}) {
    EXPECT_EQ(with(nan, 2, temperature), "sampler: request 3, position 7: the logit of token 2 is nan");
    EXPECT_EQ(with(nan, 19, temperature), "sampler: request 3, position 7: the logit of token 19 is nan");
    EXPECT_EQ(with(INFINITY, 0, temperature), "sampler: request 3, position 7: the logit of token 0 is inf");
  }
  EXPECT_EQ(error_of([] {
              sample({-INFINITY, -INFINITY}, {});
            }),
            "sampler: request 0, position 0: every logit is -infinity");
}

TEST(Sampler, FollowsTheSoftmaxAndTheTemperature) {
  const std::vector<double> p = {0.1, 0.4, 0.0, 0.3, 0.2};
  expect_distribution(counts(logits_of(p), {.temperature = 1, .seed = 1}, 20000), p);
  std::vector<double> sharper;
  for (const double value : p) sharper.push_back(value * value / 0.3);  // temperature 1/2 squares
  expect_distribution(counts(logits_of(p), {.temperature = 0.5F, .seed = 2}, 20000), sharper);
}

TEST(Sampler, CutsToTopKTopPAndMinP) {
  const std::vector<double> p = {0.05, 0.4, 0.15, 0.3, 0.1};
  const auto counted = [&](const SamplingParams& params) { return counts(logits_of(p), params, 20000); };
  expect_distribution(counted({.temperature = 1, .top_k = 2, .seed = 3}), {0, 4.0 / 7, 0, 3.0 / 7, 0});
  expect_distribution(counted({.temperature = 1, .top_k = 99, .seed = 4}), p);
  expect_distribution(counted({.temperature = 1, .top_p = 0.69F, .seed = 5}), {0, 4.0 / 7, 0, 3.0 / 7, 0});
  // 0.4 + 0.3 is short of 0.71: the next one is in.
  expect_distribution(counted({.temperature = 1, .top_p = 0.71F, .seed = 6}), {0, 8.0 / 17, 3.0 / 17, 6.0 / 17, 0});
  expect_distribution(counted({.temperature = 1, .min_p = 0.3F, .seed = 7}), {0, 8.0 / 17, 3.0 / 17, 6.0 / 17, 0});
  // Among the two kept by top-k, the first already has 4/7.
  expect_distribution(counted({.temperature = 1, .top_k = 2, .top_p = 0.57F, .seed = 8}), {0, 1, 0, 0, 0});
  expect_distribution(counted({.temperature = 1, .top_k = 3, .top_p = 1, .min_p = 0.5F, .seed = 9}),
                      {0, 4.0 / 7, 0, 3.0 / 7, 0});
}

TEST(Sampler, AnyCutDownToOneIsGreedy) {
  Floats logits(500);
  PhiloxStream random(5);
  for (float& logit : logits) logit = 3 * random.normal();
  logits[100] = logits[7] = 20;  // a tie: the lower id stays
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(sample(logits, {.temperature = 1, .top_k = 1, .seed = seed}), 7);
    EXPECT_EQ(sample(logits, {.temperature = 1, .top_p = 1e-6F, .seed = seed}), 7);
    EXPECT_LE(sample(logits, {.temperature = 1e-6F, .seed = seed}), 100);
  }
}

TEST(Sampler, TopPOfManyTokensKeepsTheFewestThatReachIt) {
  // 1000 equal tokens: exactly the first 250 in order of id.
  const auto counted = counts(Floats(1000, 2.0F), {.temperature = 1, .top_p = 0.2495F, .seed = 11}, 20000);
  EXPECT_EQ(counted.size(), 250U);
  EXPECT_EQ(counted.rbegin()->first, 249);
}

TEST(Sampler, PenalisesWhatTheWindowHolds) {
  const SamplingParams params{.repeat_penalty = 2, .repeat_last = 3};
  EXPECT_EQ(sample({4, 3, -1}, params, {0}), 1);           // 4 / 2 < 3
  EXPECT_EQ(sample({4, 3, -1}, params, {0, 1, 1}), 0);     // 2 and 1.5, once each
  EXPECT_EQ(sample({4, 3, -1}, params, {0, 2, 2, 2}), 0);  // outside the window
  EXPECT_EQ(sample({-1, -1.5F}, params, {0}), 1);          // -1 * 2 < -1.5
  EXPECT_EQ(sample({4, 3}, {.repeat_penalty = 2, .repeat_last = 0}, {0}), 0);
  EXPECT_EQ(sample({4, 3}, {.repeat_penalty = 2, .repeat_last = -1}, {0, 1, 1, 1, 1}), 0);
  EXPECT_EQ(sample({4, 3, 2.5F}, {.repeat_penalty = 2, .repeat_last = -1}, {0, 1, 1, 1, 1}), 2);
  EXPECT_EQ(sample({4, 3, 0}, {.repeat_penalty = 0.5F, .repeat_last = 3}, {1}), 1);  // below 1 it favours
}

TEST(Sampler, ATokenDependsOnItsArgumentsAlone) {
  Floats logits(3000);
  PhiloxStream random(6);
  for (float& logit : logits) logit = 2 * random.normal();
  const Ints history(40, 17);
  Sampler used(3000);
  const SamplingParams kinds[] = {{.temperature = 1, .seed = 8},
                                  {.temperature = 0.8F, .top_k = 50, .seed = 8},
                                  {.temperature = 0.8F, .top_p = 0.9F, .min_p = 0.01F, .seed = 8},
                                  {.temperature = 1.2F, .repeat_penalty = 1.3F, .seed = 9}};
  std::map<std::int32_t, int> distinct;
  for (int round = 0; round < 3; ++round) {
    for (const SamplingParams& params : kinds) {
      Floats scratch = logits;
      const std::int32_t token = used.sample({.logits = scratch, .history = history, .params = params});
      EXPECT_EQ(token, sample(logits, params, history));
      ++distinct[token];
    }
  }
  SamplingParams other = kinds[0];
  for (other.seed = 100; other.seed < 120; ++other.seed) ++distinct[sample(logits, other, history)];
  EXPECT_GT(distinct.size(), 10U);
}

TEST(Sampler, ParametersOutOfRangeAreNamed) {
  EXPECT_NO_THROW(check(SamplingParams{}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto error = [](const SamplingParams& params) { return error_of([&] { check(params); }); };
  EXPECT_EQ(error({.temperature = -1}), "--temperature must be between 0 and 100, got -1");
  EXPECT_EQ(error({.temperature = nan}), "--temperature must be between 0 and 100, got nan");
  EXPECT_EQ(error({.top_k = -1}), "--top-k must be 0 (off) or more, got -1");
  EXPECT_EQ(error({.top_p = 0}), "--top-p must be above 0 and at most 1, got 0");
  EXPECT_EQ(error({.top_p = 1.5F}), "--top-p must be above 0 and at most 1, got 1.5");
  EXPECT_EQ(error({.min_p = 2}), "--min-p must be between 0 and 1, got 2");
  EXPECT_EQ(error({.repeat_penalty = 0}), "--repeat-penalty must be between 0.01 and 100, got 0");
  EXPECT_EQ(error({.repeat_last = -2}), "--repeat-last must be -1 (all), 0 (off) or more, got -2");
}

}  // namespace
}  // namespace ridge
