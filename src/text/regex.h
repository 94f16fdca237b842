// Regular expressions over UTF-8, by PCRE2.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct pcre2_real_code_8;
struct pcre2_real_match_data_8;
struct pcre2_real_match_context_8;
struct pcre2_real_jit_stack_8;

namespace ridge {

// Compiled once (to machine code where PCRE2 can); one serves many threads.
class Regex {
 public:
  struct Match {
    std::size_t begin, end;  // bytes
  };

  // What one thread needs while it matches, whatever the expression.
  class Scratch {
   public:
    Scratch();

   private:
    friend class Regex;
    struct Free {
      void operator()(pcre2_real_match_data_8* data) const;
      void operator()(pcre2_real_match_context_8* context) const;
      void operator()(pcre2_real_jit_stack_8* stack) const;
    };
    std::unique_ptr<pcre2_real_match_data_8, Free> data_;
    std::unique_ptr<pcre2_real_jit_stack_8, Free> stack_;
    std::unique_ptr<pcre2_real_match_context_8, Free> context_;
  };

  // Throws Error with the place of a mistake in `pattern`.
  explicit Regex(const std::string& pattern);

  // The first match that is not empty and begins at or after byte `from` of `text`, which must be valid UTF-8. Throws
  // Error when the search takes more than some ten million steps and a few for every byte.
  std::optional<Match> find(std::string_view text, std::size_t from, Scratch& scratch) const;

 private:
  struct Free {
    void operator()(pcre2_real_code_8* code) const;
  };
  std::unique_ptr<pcre2_real_code_8, Free> code_;
};

}  // namespace ridge
