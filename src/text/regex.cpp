#include "text/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <new>

#include "core/error.h"

namespace ridge {
namespace {

constexpr std::size_t kJitStackBytes = std::size_t{32} << 10;
constexpr std::size_t kMaxJitStackBytes = std::size_t{1} << 20;
constexpr std::size_t kMatchSteps = 10'000'000;
constexpr std::size_t kMatchStepsPerByte = 16;

std::string message_of(int code) {
  std::array<PCRE2_UCHAR8, 256> text{};
  pcre2_get_error_message_8(code, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

PCRE2_SPTR8 units(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR8>(text.data());
}

}  // namespace

void Regex::Free::operator()(pcre2_real_code_8* code) const {
  pcre2_code_free_8(code);
}
void Regex::Scratch::Free::operator()(pcre2_real_match_data_8* data) const {
  pcre2_match_data_free_8(data);
}
void Regex::Scratch::Free::operator()(pcre2_real_match_context_8* context) const {
  pcre2_match_context_free_8(context);
}
void Regex::Scratch::Free::operator()(pcre2_real_jit_stack_8* stack) const {
  pcre2_jit_stack_free_8(stack);
}

Regex::Scratch::Scratch()
    : data_(pcre2_match_data_create_8(1, nullptr)),
      stack_(pcre2_jit_stack_create_8(kJitStackBytes, kMaxJitStackBytes, nullptr)),
      context_(pcre2_match_context_create_8(nullptr)) {
  if (!data_ || !context_) throw std::bad_alloc();
  // Without a stack of its own (PCRE2 built without JIT) nothing needs one.
  if (stack_) pcre2_jit_stack_assign_8(context_.get(), nullptr, stack_.get());
}

Regex::Regex(const std::string& pattern) {
  int error = 0;
  PCRE2_SIZE at = 0;
  code_.reset(
      pcre2_compile_8(units(pattern), pattern.size(), PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C, &error, &at, nullptr));
  if (!code_) fail("regular expression: {} at byte {} of {:?}", message_of(error), at, pattern);
  // A refusal (no executable memory, no JIT for this CPU) leaves the interpreter, which gives the same matches.
  pcre2_jit_compile_8(code_.get(), PCRE2_JIT_COMPLETE);
}

std::optional<Regex::Match> Regex::find(std::string_view text, std::size_t from, Scratch& scratch) const {
  const std::size_t steps = kMatchSteps + kMatchStepsPerByte * text.size();
  pcre2_set_match_limit_8(scratch.context_.get(), static_cast<std::uint32_t>(std::min<std::size_t>(
                                                      steps, std::numeric_limits<std::uint32_t>::max())));
  const int result = pcre2_match_8(code_.get(), units(text), text.size(), from, PCRE2_NO_UTF_CHECK | PCRE2_NOTEMPTY,
                                   scratch.data_.get(), scratch.context_.get());
  if (result == PCRE2_ERROR_NOMATCH) return std::nullopt;
  if (result < 0) fail("regular expression: {} in a text of {} bytes", message_of(result), text.size());
  const PCRE2_SIZE* bounds = pcre2_get_ovector_pointer_8(scratch.data_.get());
  return Match{bounds[0], bounds[1]};
}

}  // namespace ridge
