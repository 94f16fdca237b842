#include "text/byte_level_bpe.h"

#include <algorithm>
#include <functional>

#include "core/error.h"
#include "text/byte_alphabet.h"

namespace ridge {
namespace {

// Two rounds of multiply and fold: the table takes the low bits and its tags are the high ones.
std::uint64_t hash_of(std::int32_t left, std::int32_t right) {
  std::uint64_t hash = std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
  for (int round = 0; round < 2; ++round) {
    hash *= 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32;
  }
  return hash;
}

bool is_normal(const Vocabulary& vocabulary, std::int32_t id) {
  return vocabulary.types.empty() || vocabulary.types[static_cast<std::size_t>(id)] == TokenType::normal;
}

}  // namespace

// Merges the words of one text, one after the other, in the same memory.
class ByteLevelBpe::WordEncoder {
 public:
  explicit WordEncoder(const ByteLevelBpe& model) : model_(model) {}

  void encode(std::string_view word, std::vector<std::int32_t>& ids) {
    if (model_.pre_tokenizer_.keeps_whole_words()) {
      if (const std::int32_t whole = model_.find_whole(word, spelling_); whole != TokenIndex::kNone) {
        ids.push_back(whole);
        return;
      }
    }
    start(word);
    if (symbols_.empty()) return;
    merge_all();
    for (std::int32_t at = 0; at != kEnd; at = symbol(at).next) ids.push_back(symbol(at).token);
  }

 private:
  static constexpr std::int32_t kEnd = -1;
  struct Symbol {
    std::int32_t token;
    std::int32_t previous, next;  // positions, or kEnd
    std::int32_t merge;           // the rank of the merge with the next symbol, or HashIndex::kNone
  };
  // The lowest rank first, then the leftmost position.
  using Candidate = std::uint64_t;
  static Candidate candidate(std::int32_t rank, std::int32_t at) {
    return std::uint64_t{static_cast<std::uint32_t>(rank)} << 32 | static_cast<std::uint32_t>(at);
  }

  Symbol& symbol(std::int32_t at) { return symbols_[static_cast<std::size_t>(at)]; }

  void start(std::string_view word) {
    symbols_.clear();
    queue_.clear();
    for (const char byte : word) {
      const std::int32_t token = model_.byte_tokens_[static_cast<unsigned char>(byte)];
      if (token == TokenIndex::kNone) continue;
      const auto at = static_cast<std::int32_t>(symbols_.size());
      symbols_.push_back({token, at - 1, at + 1, HashIndex::kNone});
    }
    if (symbols_.empty()) return;
    symbols_.back().next = kEnd;
    for (std::size_t i = 0; i + 1 < symbols_.size(); ++i) {
      symbols_[i].merge = model_.find_merge(symbols_[i].token, symbols_[i + 1].token);
      if (symbols_[i].merge != HashIndex::kNone)
        queue_.push_back(candidate(symbols_[i].merge, static_cast<std::int32_t>(i)));
    }
    std::make_heap(queue_.begin(), queue_.end(), std::greater<>());
  }

  // A candidate whose symbol has since merged otherwise is passed over.
  void merge_all() {
    while (!queue_.empty()) {
      std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
      const auto rank = static_cast<std::int32_t>(queue_.back() >> 32);
      const auto at = static_cast<std::int32_t>(queue_.back() & 0xFFFFFFFFU);
      queue_.pop_back();
      if (symbol(at).merge == rank) merge(at);
    }
  }

  void merge(std::int32_t at) {
    Symbol& left = symbol(at);
    Symbol& right = symbol(left.next);
    left.token = model_.merges_[static_cast<std::size_t>(left.merge)].result;
    left.next = right.next;
    right.merge = HashIndex::kNone;
    if (left.next != kEnd) symbol(left.next).previous = at;
    consider(at);
    if (left.previous != kEnd) consider(left.previous);
  }

  void consider(std::int32_t at) {
    Symbol& left = symbol(at);
    left.merge = left.next == kEnd ? HashIndex::kNone : model_.find_merge(left.token, symbol(left.next).token);
    if (left.merge == HashIndex::kNone) return;
    queue_.push_back(candidate(left.merge, at));
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
  }

  const ByteLevelBpe& model_;
  std::vector<Symbol> symbols_;
  std::vector<Candidate> queue_;
  std::string spelling_;
};

ByteLevelBpe::ByteLevelBpe(const Vocabulary& vocabulary, const TokenIndex& index)
    : vocabulary_(vocabulary), index_(index), pre_tokenizer_(vocabulary.pre), merge_index_(vocabulary.merges.size()) {
  for (std::size_t byte = 0; byte < byte_tokens_.size(); ++byte) {
    const std::string_view spelling = spelled_byte(static_cast<unsigned char>(byte));
    byte_tokens_[byte] = index.find(spelling);
    const bool printable = byte >= 0x20 && byte < 0x7F;
    require(
        !printable || byte_tokens_[byte] != TokenIndex::kNone,
        "tokenizer: a byte-level vocabulary must have a token for every printable ASCII character, none is spelled {}",
        spelling);
  }
  require(!vocabulary.merges.empty(), "tokenizer: a byte-level vocabulary must have merges, got none");
  merges_.reserve(vocabulary.merges.size());
  for (const std::string& merge : vocabulary.merges) add_merge(merge);
  for (const std::string& token : vocabulary.tokens) longest_token_ = std::max(longest_token_, token.size());
}

void ByteLevelBpe::add_merge(std::string_view text) {
  const std::size_t rank = merges_.size();
  const std::string_view shown = text.substr(0, 64);
  const std::size_t space = text.find(' ');
  require(space != 0 && space < text.size() - 1 && text.find(' ', space + 1) == std::string_view::npos,
          "tokenizer: merge {} must be two tokens with one space between, got {:?}", rank, shown);
  std::string joined(text);
  joined.erase(space, 1);
  const Merge merge{index_.find(text.substr(0, space)), index_.find(text.substr(space + 1)), index_.find(joined)};
  require(std::min({merge.left, merge.right, merge.result}) != TokenIndex::kNone,
          "tokenizer: merge {} names no token: {:?}", rank, shown);
  const std::int32_t before = find_merge(merge.left, merge.right);
  require(before == HashIndex::kNone, "tokenizer: merges {} and {} are both {:?}", before, rank, shown);
  merges_.push_back(merge);
  merge_index_.insert(hash_of(merge.left, merge.right), static_cast<std::int32_t>(rank));
}

std::int32_t ByteLevelBpe::find_merge(std::int32_t left, std::int32_t right) const {
  return merge_index_.find(hash_of(left, right), [&](std::int32_t rank) {
    const Merge& merge = merges_[static_cast<std::size_t>(rank)];
    return merge.left == left && merge.right == right;
  });
}

std::int32_t ByteLevelBpe::find_whole(std::string_view word, std::string& spelling) const {
  if (word.size() > longest_token_) return TokenIndex::kNone;
  spelling.clear();
  append_spelled(word, spelling);
  const std::int32_t id = index_.find(spelling);
  return id != TokenIndex::kNone && is_normal(vocabulary_, id) ? id : TokenIndex::kNone;
}

void ByteLevelBpe::encode(std::string_view text, std::vector<std::int32_t>& ids) const {
  WordEncoder encoder(*this);
  pre_tokenizer_.split(text, [&](std::string_view word) { encoder.encode(word, ids); });
}

void ByteLevelBpe::append_piece(std::string_view spelling, std::string& out) const {
  append_unspelled(spelling, out);
}

}  // namespace ridge
