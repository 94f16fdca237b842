#include "text/tokenizer.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/error.h"
#include "text/byte_level_bpe.h"
#include "text/special_tokens.h"
#include "text/token_index.h"
#include "text/tokenizer_model.h"
#include "text/utf8.h"

namespace ridge {
namespace {

// Spellings that end a turn or a sequence in the models that have them, where the file names only one of its ends.
constexpr std::array<std::string_view, 12> kEnds = {
    "<|endoftext|>",   "<|end_of_text|>", "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|end|>",
    "<|end_of_turn|>", "<end_of_turn>",   "<|return|>", "<|call|>",   "<EOT>",      "</s>"};

TokenType type_of(const Vocabulary& vocabulary, std::size_t id) {
  return vocabulary.types.empty() ? TokenType::normal : vocabulary.types[id];
}

bool is_special_type(TokenType type) {
  return type == TokenType::control || type == TokenType::unknown;
}

void check_id(const Vocabulary& vocabulary, const char* name, const std::optional<std::int32_t>& id) {
  require(!id || (*id >= 0 && static_cast<std::size_t>(*id) < vocabulary.tokens.size()),
          "tokenizer: the {} token must be one of {} tokens, got {}", name, vocabulary.tokens.size(), id.value_or(0));
}

void check(const Vocabulary& vocabulary) {
  const std::size_t tokens = vocabulary.tokens.size();
  require(tokens > 0 && tokens <= std::numeric_limits<std::int32_t>::max(),
          "tokenizer: a vocabulary must have 1 to 2^31 - 1 tokens, got {}", tokens);
  require(vocabulary.types.empty() || vocabulary.types.size() == tokens,
          "tokenizer: there must be a type for each of {} tokens, got {}", tokens, vocabulary.types.size());
  require(vocabulary.scores.empty() || vocabulary.scores.size() == tokens,
          "tokenizer: there must be a score for each of {} tokens, got {}", tokens, vocabulary.scores.size());
  for (std::size_t i = 0; i < vocabulary.types.size(); ++i) {
    const auto type = static_cast<std::int32_t>(vocabulary.types[i]);
    require(type >= 1 && type <= 6, "tokenizer: a token's type must be 1 to 6, got {} for token {}", type, i);
  }
  require(vocabulary.merges.size() <= std::numeric_limits<std::int32_t>::max(),
          "tokenizer: a vocabulary must have fewer than 2^31 merges, got {}", vocabulary.merges.size());
  check_id(vocabulary, "BOS", vocabulary.bos);
  check_id(vocabulary, "EOS", vocabulary.eos);
  check_id(vocabulary, "EOT", vocabulary.eot);
  check_id(vocabulary, "EOM", vocabulary.eom);
  check_id(vocabulary, "unknown", vocabulary.unk);
  check_id(vocabulary, "padding", vocabulary.pad);
}

// The one place that knows the families of tokenizers.
std::unique_ptr<TokenizerModel> make_model(const Vocabulary& vocabulary, const TokenIndex& index) {
  if (vocabulary.model == "gpt2") return std::make_unique<ByteLevelBpe>(vocabulary, index);
  fail("tokenizer: unknown model {:?}, known is gpt2", std::string_view(vocabulary.model).substr(0, 64));
}

std::unique_ptr<SpecialTokens> specials_of(const Vocabulary& vocabulary, bool with_special) {
  std::vector<SpecialTokens::Token> tokens;
  for (std::size_t i = 0; i < vocabulary.types.size(); ++i) {
    const TokenType type = vocabulary.types[i];
    const bool wanted = type == TokenType::user_defined || (with_special && is_special_type(type));
    if (wanted && !vocabulary.tokens[i].empty()) {
      tokens.push_back({vocabulary.tokens[i], static_cast<std::int32_t>(i)});
    }
  }
  return std::make_unique<SpecialTokens>(std::move(tokens));
}

std::vector<std::int32_t> ends_of(const Vocabulary& vocabulary, const TokenIndex& index) {
  std::vector<std::int32_t> ends;
  for (const auto& id : {vocabulary.eos, vocabulary.eot, vocabulary.eom}) {
    if (id) ends.push_back(*id);
  }
  for (const std::string_view spelling : kEnds) {
    const std::int32_t id = index.find(spelling);
    if (id != TokenIndex::kNone && is_special_type(type_of(vocabulary, static_cast<std::size_t>(id)))) {
      ends.push_back(id);
    }
  }
  return ends;
}

}  // namespace

Tokenizer::Tokenizer(Vocabulary vocabulary) : vocabulary_(std::make_unique<Vocabulary>(std::move(vocabulary))) {
  check(*vocabulary_);
  index_ = std::make_unique<TokenIndex>(vocabulary_->tokens);
  model_ = make_model(*vocabulary_, *index_);
  std::vector<std::string>().swap(vocabulary_->merges);
  if (!vocabulary_->add_bos) vocabulary_->add_bos = model_->adds_bos();
  if (!vocabulary_->add_eos) vocabulary_->add_eos = false;
  user_defined_ = specials_of(*vocabulary_, false);
  all_special_ = specials_of(*vocabulary_, true);
  end_of_generation_ = ends_of(*vocabulary_, *index_);
}

Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

std::vector<std::int32_t> Tokenizer::encode(std::string_view text, Special special, Ends ends) const {
  std::string replaced;
  if (valid_utf8_prefix(text) != text.size()) text = replaced = replace_broken_utf8(text);
  require(text.size() <= std::numeric_limits<std::int32_t>::max(),
          "tokenizer: a text must have fewer than 2^31 bytes, got {}", text.size());
  std::vector<std::int32_t> ids;
  const bool as_model = ends == Ends::as_model;
  if (as_model && *vocabulary_->add_bos && vocabulary_->bos) ids.push_back(*vocabulary_->bos);
  append_ids(text, special == Special::parse ? *all_special_ : *user_defined_, ids);
  if (as_model && *vocabulary_->add_eos && vocabulary_->eos) ids.push_back(*vocabulary_->eos);
  return ids;
}

void Tokenizer::append_ids(std::string_view text, const SpecialTokens& specials, std::vector<std::int32_t>& ids) const {
  std::size_t at = 0;
  while (const auto match = specials.find(text, at)) {
    if (match->begin > at) model_->encode(text.substr(at, match->begin - at), ids);
    ids.push_back(match->id);
    at = match->end;
  }
  if (at < text.size()) model_->encode(text.substr(at), ids);
}

void Tokenizer::append_piece(std::int32_t id, std::string& out) const {
  require(id >= 0 && id < size(), "tokenizer: a token id must be 0 to {}, got {}", size() - 1, id);
  const auto position = static_cast<std::size_t>(id);
  const TokenType type = type_of(*vocabulary_, position);
  if (is_special_type(type) || type == TokenType::user_defined) {
    out += vocabulary_->tokens[position];
  } else {
    model_->append_piece(vocabulary_->tokens[position], out);
  }
}

std::string Tokenizer::piece(std::int32_t id) const {
  std::string bytes;
  append_piece(id, bytes);
  return bytes;
}

std::string Tokenizer::printable_piece(std::int32_t id) const {
  return replace_broken_utf8(piece(id));
}

std::string Tokenizer::decode(std::span<const std::int32_t> ids, bool skip_special) const {
  std::string bytes;
  for (const std::int32_t id : ids) {
    if (!skip_special || !is_special(id)) append_piece(id, bytes);
  }
  return bytes;
}

std::optional<std::int32_t> Tokenizer::find(std::string_view spelling) const {
  const std::int32_t id = index_->find(spelling);
  return id == TokenIndex::kNone ? std::nullopt : std::optional(id);
}

bool Tokenizer::is_special(std::int32_t id) const {
  return id >= 0 && id < size() && is_special_type(type_of(*vocabulary_, static_cast<std::size_t>(id)));
}

bool Tokenizer::is_end_of_generation(std::int32_t id) const {
  return std::find(end_of_generation_.begin(), end_of_generation_.end(), id) != end_of_generation_.end();
}

std::int32_t Tokenizer::size() const {
  return static_cast<std::int32_t>(vocabulary_->tokens.size());
}

}  // namespace ridge
