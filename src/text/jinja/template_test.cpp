#include "text/jinja/template.h"

#include "core/json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace ridge::jinja {
namespace {

// 26 July 2024, 13:05:09, a Friday: what tools/make_goldens/jinja.py renders with.
std::tm fixed_time() {
  std::tm time{};
  time.tm_year = 124;
  time.tm_mon = 6;
  time.tm_mday = 26;
  time.tm_hour = 13;
  time.tm_min = 5;
  time.tm_sec = 9;
  time.tm_wday = 5;
  time.tm_yday = 207;
  return time;
}

std::string name_of(ErrorKind kind) {
  static const std::map<ErrorKind, std::string> kNames = {
      {ErrorKind::kSyntax, "syntax"},       {ErrorKind::kUndefined, "undefined"}, {ErrorKind::kRaised, "raised"},
      {ErrorKind::kForbidden, "forbidden"}, {ErrorKind::kRuntime, "runtime"},     {ErrorKind::kLimit, "limit"}};
  return kNames.at(kind);
}

std::string rendered(std::string_view source, const Json& context = Json::object(), const Limits& limits = {}) {
  return Template(source).render(context, {.limits = limits, .now = std::nullopt});
}

// Runs what must fail and gives back the error.
TemplateError error_of(std::string_view source, const Json& context = Json::object(), const Limits& limits = {}) {
  try {
    const std::string text = rendered(source, context, limits);
    ADD_FAILURE() << "rendered: " << text.substr(0, 200);
  } catch (const TemplateError& error) {
    return error;
  }
  return {ErrorKind::kSyntax, 0, "none"};
}

TEST(Template, DoesWhatJinja2DoesInEveryCase) {
  const Json document = read_json(RIDGE_SOURCE_DIR "/tests/data/jinja_cases.json");
  ASSERT_GE(document["cases"].size(), 900U);
  const Options options{.limits = {}, .now = fixed_time()};
  for (const Json& expected : document["cases"]) {
    const auto name = expected["name"].get<std::string>();
    try {
      const std::string text = Template(expected["template"].get<std::string>()).render(expected["context"], options);
      EXPECT_EQ(expected.value("output", "error"), text) << name;
      EXPECT_FALSE(expected.contains("error")) << name;
    } catch (const TemplateError& error) {
      EXPECT_EQ(expected.value("error", "output"), name_of(error.kind())) << name << ": " << error.what();
      EXPECT_EQ(expected.value("message", error.message()), error.message()) << name;
    }
  }
}

TEST(Template, ErrorsNameTheLine) {
  EXPECT_STREQ(error_of("a\n\n{{ 1 + }}").what(), "template line 3: unexpected 'end of print statement'");
  EXPECT_STREQ(error_of("a\n{{ x.y }}").what(), "template line 2: 'x' is undefined");
  EXPECT_STREQ(error_of("{% if 1 %}\n{% for x in [1] %}\n{{ x + 'a' }}{% endfor %}{% endif %}").what(),
               "template line 3: unsupported operand type(s) for +: 'int' and 'str'");
  EXPECT_EQ(error_of("{% if 1 %}\n\n{{ 1|nope }}{% endif %}").line(), 3);
  EXPECT_EQ(error_of("\n{{ 1|nope }}").line(), 2);
  EXPECT_EQ(error_of("{{ 'a\nb\n' }}{{ 1 1 }}").line(), 3);
}

TEST(Template, RaisedMessagesAreKeptApart) {
  const TemplateError error = error_of("\n{{ raise_exception('No system role.') }}");
  EXPECT_EQ(error.kind(), ErrorKind::kRaised);
  EXPECT_EQ(error.message(), "No system role.");
  EXPECT_STREQ(error.what(), "template line 2: No system role.");
}

TEST(Template, TheTimeIsPassedInOrAbsent) {
  EXPECT_EQ(error_of("{{ strftime_now('%Y') }}").kind(), ErrorKind::kRuntime);
  const Options options{.limits = {}, .now = fixed_time()};
  EXPECT_EQ(Template("{{ strftime_now('%d %b %Y') }}").render(Json::object(), options), "26 Jul 2024");
  EXPECT_THROW((void)Template("{{ strftime_now('%999999Y') }}").render(Json::object(), options), TemplateError);
}

TEST(Template, ACopySharesTheProgramAndRendersAgain) {
  const Template original("{% set x = (x or 0) + 1 %}{{ x }}");
  const Template copy = original;  // NOLINT(performance-unnecessary-copy-initialization): the copy is the subject
  EXPECT_EQ(copy.render({{"x", 1}}), "2");
  EXPECT_EQ(original.render({{"x", 5}}), "6");
  EXPECT_EQ(original.render(Json::object()), "1");
}

TEST(Template, RefusesAContextThatPythonCouldNotHold) {
  EXPECT_THROW((void)Template("x").render(Json::array()), Error);
  EXPECT_EQ(error_of("x", {{"bad", "\xff"}}).kind(), ErrorKind::kRuntime);
  EXPECT_EQ(error_of("x", {{"\xc0\x80", 1}}).kind(), ErrorKind::kRuntime);
  EXPECT_EQ(error_of("x", {{"big", 18446744073709551615ULL}}).kind(), ErrorKind::kLimit);
  Json deep = 1;
  for (int i = 0; i < 1000; ++i) deep = Json::array({std::move(deep)});
  EXPECT_EQ(error_of("x", {{"deep", deep}}).kind(), ErrorKind::kLimit);
}

TEST(Template, RefusesSourceThatIsNotText) {
  EXPECT_EQ(error_of("\xed\xa0\x80").kind(), ErrorKind::kSyntax);
  EXPECT_EQ(error_of("a\xf0\x9f").kind(), ErrorKind::kSyntax);
  EXPECT_EQ(error_of(std::string((1U << 20U) + 1, 'x')).kind(), ErrorKind::kLimit);
  EXPECT_EQ(rendered(std::string("a\0b", 3)), std::string("a\0b", 3));
}

}  // namespace
}  // namespace ridge::jinja
