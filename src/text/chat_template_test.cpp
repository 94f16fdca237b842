#include "text/chat_template.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ridge {
namespace {

constexpr const char* kTemplate =
    "{{ bos_token }}{% for m in messages %}[{{ m.role }}]{{ m.content }}{{ eos_token }}{% endfor %}"
    "{% if tools %}{{ tools|length }} tools{% endif %}{{ documents is none }}{{ mode|default('no mode') }}"
    "{% if add_generation_prompt %}[assistant]{% endif %}";

Json conversation() {
  return Json::parse(R"([{"role":"user","content":"Hi"},{"role":"assistant","content":"Yo"}])");
}

TEST(ChatTemplate, RendersAConversation) {
  const ChatTemplate chat(kTemplate, "<s>", "</s>");
  EXPECT_EQ(chat.render(conversation(), true, nullptr, nullptr),
            "<s>[user]Hi</s>[assistant]Yo</s>Trueno mode[assistant]");
  EXPECT_EQ(chat.render(Json::array(), false, Json::array({1, 2}), {{"mode", "fast"}, {"bos_token", ""}}),
            "2 toolsTruefast");
}

TEST(ChatTemplate, RefusesWhatIsNotAConversation) {
  const ChatTemplate chat(kTemplate, "", "");
  EXPECT_THROW((void)chat.render(Json::object(), true, nullptr, nullptr), Error);
  EXPECT_THROW((void)chat.render(conversation(), true, "tools", nullptr), Error);
  EXPECT_THROW((void)chat.render(conversation(), true, nullptr, Json::array()), Error);
  EXPECT_THROW(ChatTemplate("{% if %}", "", ""), jinja::TemplateError);
}

}  // namespace
}  // namespace ridge
