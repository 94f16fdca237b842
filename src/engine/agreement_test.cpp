// A request's tokens are bitwise the same alone and in a batch, for any chunk, block size, number of threads and depth.
#include "engine/engine.h"

#include "core/rng.h"
#include "support/random_model.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace ridge {
namespace {

using Ints = std::vector<std::int32_t>;

struct MadeRequest {
  Ints prompt;
  std::int32_t max_new_tokens = 1;
  Ints stop_tokens;
  SamplingParams sampling;
};

// Greedy and sampled in every way, prompts from one token to more than one span of attention.
std::vector<MadeRequest> eight_requests(std::int64_t vocabulary) {
  constexpr std::int32_t kLengths[] = {1, 5, 17, 40, 131, 3, 64, 33};
  const SamplingParams samplings[] = {
      {},
      {.temperature = 1, .seed = 7},
      {},
      {.temperature = 0.8F, .top_k = 40, .seed = 7},
      {.temperature = 1, .top_p = 0.9F, .seed = 8},
      {.temperature = 1.5F, .min_p = 0.05F, .seed = 9},
      {.repeat_penalty = 1.3F, .repeat_last = 20},
      {.temperature = 0.7F, .top_k = 60, .top_p = 0.95F, .repeat_penalty = 1.1F, .repeat_last = -1, .seed = 10}};
  std::vector<MadeRequest> requests;
  PhiloxStream random(3);
  for (std::size_t i = 0; i < 8; ++i) {
    MadeRequest request{{}, static_cast<std::int32_t>(8 + i), {}, samplings[i]};
    for (std::int32_t t = 0; t < kLengths[i]; ++t) {
      request.prompt.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(vocabulary))));
    }
    requests.push_back(request);
  }
  return requests;
}

// The tokens of each request, all in one engine.
std::vector<Ints> run(Engine& engine, const std::vector<MadeRequest>& requests) {
  std::map<RequestId, std::size_t> index;
  for (const MadeRequest& request : requests) {
    const auto next = index.size();
    index[engine.add({request.prompt, request.max_new_tokens, request.stop_tokens, request.sampling})] = next;
  }
  std::vector<Ints> tokens(requests.size());
  while (!engine.idle()) {
    for (const TokenEvent& event : engine.step()) tokens[index.at(event.request)].push_back(event.token);
  }
  return tokens;
}

// Each request alone, prompt in one piece, one thread: what everything else must equal. The second request then gets a
// stop token that it meets halfway.
std::vector<Ints> alone(const RandomModelOptions& weights, DType kv_dtype, std::vector<MadeRequest>& requests) {
  const auto device = Device::cpu(1);
  const Exec exec(*device);
  const Model model = random_model(exec, weights);
  const auto all = [&] {
    std::vector<Ints> tokens;
    for (const MadeRequest& request : requests) {
      Engine engine(exec, model, {.kv_dtype = kv_dtype});
      tokens.push_back(run(engine, {request})[0]);
    }
    return tokens;
  };
  requests[1].stop_tokens = {all()[1][6]};
  return all();
}

class Agreement : public testing::TestWithParam<int> {};

TEST_P(Agreement, ForAnyBatchChunkBlockAndDepth) {
  const int threads = GetParam();
  const RandomModelOptions weights;
  std::vector<MadeRequest> requests = eight_requests(weights.config.vocabulary);
  const std::vector<Ints> expected = alone(weights, DType::f16, requests);
  ASSERT_LT(expected[1].size(), static_cast<std::size_t>(requests[1].max_new_tokens));
  const auto device = Device::cpu(threads);
  const Exec exec(*device);
  const Model model = random_model(exec, weights);
  for (const std::int32_t chunk : {1, 7, 64, 512}) {
    for (const std::int32_t block_size : {1, 16, 17}) {
      for (const std::int32_t depth : {1, 2}) {
        Engine engine(exec, model, {.chunk = chunk, .block_size = block_size, .kv_tokens = 1000, .depth = depth});
        EXPECT_EQ(run(engine, requests), expected)
            << "chunk " << chunk << ", block size " << block_size << ", depth " << depth;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, Agreement, testing::Values(1, 2, 3, 4));

TEST(AgreementOf, EveryWeightAndKvType) {
  for (const Format format : {Format::f32, Format::f16, Format::bf16, Format::q4_0, Format::q8_0}) {
    for (const DType kv_dtype : {DType::f16, DType::f32}) {
      RandomModelOptions weights;
      weights.matrices = weights.embedding = format;
      std::vector<MadeRequest> requests = eight_requests(weights.config.vocabulary);
      const std::vector<Ints> expected = alone(weights, kv_dtype, requests);
      const auto device = Device::cpu(3);
      const Exec exec(*device);
      const Model model = random_model(exec, weights);
      Engine engine(exec, model,
                    {.max_tokens_per_step = 30, .chunk = 23, .block_size = 5, .kv_dtype = kv_dtype, .depth = 2});
      EXPECT_EQ(run(engine, requests), expected) << format_name(format) << ", " << dtype_name(kv_dtype);
    }
  }
}

// With too little room for all, requests wait for others to end.
TEST(AgreementOf, RequestsThatTakeTurns) {
  const RandomModelOptions weights;
  std::vector<MadeRequest> requests = eight_requests(weights.config.vocabulary);
  const std::vector<Ints> expected = alone(weights, DType::f16, requests);
  const auto device = Device::cpu(2);
  const Exec exec(*device);
  const Model model = random_model(exec, weights);
  for (const std::int32_t depth : {1, 2}) {
    Engine engine(exec, model,
                  {.max_sequences = 3, .max_tokens_per_step = 16, .block_size = 4, .kv_tokens = 180, .depth = depth});
    EXPECT_EQ(run(engine, requests), expected) << "depth " << depth;
  }
}

}  // namespace
}  // namespace ridge
