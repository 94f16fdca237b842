// A model's chat template: from the messages of a conversation to the text that the model reads.
#pragma once

#include "core/json.h"
#include "text/jinja/template.h"

#include <string>

namespace ridge {

class ChatTemplate {
 public:
  // `source` is Jinja (a tokenizer's chat_template). Throws jinja::TemplateError.
  ChatTemplate(const std::string& source, std::string bos_token, std::string eos_token);

  // As transformers' apply_chat_template: `messages` is a list of {"role", "content", ...}, `tools` a list of JSON
  // schemas or null, `variables` an object of further variables (enable_thinking ...), which override the others.
  // `options.now` is what strftime_now reads. Throws jinja::TemplateError: of kind kRaised when the template refuses
  // the conversation.
  [[nodiscard]] std::string render(const Json& messages, bool add_generation_prompt, const Json& tools,
                                   const Json& variables, const jinja::Options& options = {}) const;

 private:
  jinja::Template template_;
  std::string bos_token_;
  std::string eos_token_;
};

}  // namespace ridge
