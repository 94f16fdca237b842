#include "text/chat_template.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace ridge {

ChatTemplate::ChatTemplate(const std::string& source, std::string bos_token, std::string eos_token)
    : template_(source), bos_token_(std::move(bos_token)), eos_token_(std::move(eos_token)) {}

std::string ChatTemplate::render(const Json& messages, bool add_generation_prompt, const Json& tools,
                                 const Json& variables, const jinja::Options& options) const {
  require(messages.is_array(), "chat template: messages must be a list, got {}", messages.type_name());
  require(tools.is_array() || tools.is_null(), "chat template: tools must be a list, got {}", tools.type_name());
  require(variables.is_object() || variables.is_null(), "chat template: variables must be an object, got {}",
          variables.type_name());
  Json context = Json::object();
  context["messages"] = messages;
  context["tools"] = tools;
  context["documents"] = nullptr;
  context["add_generation_prompt"] = add_generation_prompt;
  context["bos_token"] = bos_token_;
  context["eos_token"] = eos_token_;
  for (const auto& [name, value] : variables.items()) context[name] = value;
  return template_.render(context, options);
}

}  // namespace ridge
