#include "model/gguf_vocabulary.h"

#include "core/error.h"
#include "model/gguf_writer.h"
#include "support/error_of.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace ridge {
namespace {

Vocabulary vocabulary_of(const GgufWriter& writer) {
  const std::string bytes = writer.bytes();
  return read_vocabulary(GgufFile::from_bytes(std::as_bytes(std::span(bytes)), "f"));
}

std::string vocabulary_error(const GgufWriter& writer) {
  return error_of([&] { vocabulary_of(writer); });
}

constexpr std::array<std::string_view, 3> kTokens = {"<s>", "a", "aa"};

TEST(GgufVocabulary, ReadsEveryKey) {
  GgufWriter writer;
  writer.add("tokenizer.ggml.model", std::string_view("gpt2"));
  writer.add("tokenizer.ggml.pre", std::string_view("smollm"));
  writer.add_array<std::string_view>("tokenizer.ggml.tokens", kTokens);
  writer.add_array<std::int32_t>("tokenizer.ggml.token_type", std::array<std::int32_t, 3>{3, 1, 77});
  writer.add_array<float>("tokenizer.ggml.scores", std::array<float, 3>{0.0F, -1.0F, -2.0F});
  writer.add_array<std::string_view>("tokenizer.ggml.merges", std::array<std::string_view, 1>{"a a"});
  const char* const ids[] = {"bos", "eos", "eot", "eom", "unknown", "padding"};
  for (std::uint32_t i = 0; i < 6; ++i) writer.add("tokenizer.ggml." + std::string(ids[i]) + "_token_id", i);
  writer.add("tokenizer.ggml.add_bos_token", true);
  writer.add("tokenizer.ggml.add_eos_token", false);
  writer.add("tokenizer.ggml.add_space_prefix", true);
  writer.add("tokenizer.chat_template", std::string_view("{{ x }}"));

  const Vocabulary vocabulary = vocabulary_of(writer);
  EXPECT_EQ(vocabulary.model, "gpt2");
  EXPECT_EQ(vocabulary.pre, "smollm");
  EXPECT_EQ(vocabulary.tokens, (std::vector<std::string>{"<s>", "a", "aa"}));
  EXPECT_EQ(vocabulary.types[0], TokenType::control);
  EXPECT_EQ(static_cast<int>(vocabulary.types[2]), 77);
  EXPECT_EQ(vocabulary.scores, (std::vector<float>{0.0F, -1.0F, -2.0F}));
  EXPECT_EQ(vocabulary.merges, (std::vector<std::string>{"a a"}));
  EXPECT_EQ(vocabulary.bos, 0);
  EXPECT_EQ(vocabulary.eos, 1);
  EXPECT_EQ(vocabulary.eot, 2);
  EXPECT_EQ(vocabulary.eom, 3);
  EXPECT_EQ(vocabulary.unk, 4);
  EXPECT_EQ(vocabulary.pad, 5);
  EXPECT_EQ(vocabulary.add_bos, true);
  EXPECT_EQ(vocabulary.add_eos, false);
  EXPECT_TRUE(vocabulary.add_space_prefix);
  EXPECT_EQ(vocabulary.chat_template, "{{ x }}");
}

TEST(GgufVocabulary, OnlyModelAndTokensAreRequired) {
  GgufWriter writer;
  EXPECT_EQ(vocabulary_error(writer), "f: key \"tokenizer.ggml.model\" is missing");
  writer.add("tokenizer.ggml.model", std::string_view("gpt2"));
  EXPECT_EQ(vocabulary_error(writer), "f: key \"tokenizer.ggml.tokens\" is missing");
  writer.add_array<std::string_view>("tokenizer.ggml.tokens", kTokens);
  const Vocabulary vocabulary = vocabulary_of(writer);
  EXPECT_EQ(vocabulary.tokens.size(), 3U);
  EXPECT_TRUE(vocabulary.types.empty() && vocabulary.scores.empty() && vocabulary.merges.empty());
  EXPECT_EQ(vocabulary.bos, std::nullopt);
  EXPECT_EQ(vocabulary.add_bos, std::nullopt);
  EXPECT_FALSE(vocabulary.add_space_prefix);
}

TEST(GgufVocabulary, WrongTypesAreNamed) {
  GgufWriter writer;
  writer.add("tokenizer.ggml.model", std::string_view("gpt2"));
  writer.add_array<std::string_view>("tokenizer.ggml.tokens", kTokens);
  GgufWriter id = writer;
  id.add("tokenizer.ggml.eos_token_id", ~std::uint32_t{0});
  EXPECT_EQ(vocabulary_error(id), "f: key \"tokenizer.ggml.eos_token_id\" must be i32, got u32 4294967295");
  writer.add_array<float>("tokenizer.ggml.merges", std::array<float, 1>{1.0F});
  EXPECT_EQ(vocabulary_error(writer), "f: key \"tokenizer.ggml.merges\" must be array of string, got array of 1 f32");
}

}  // namespace
}  // namespace ridge
