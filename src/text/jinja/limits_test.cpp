// Hostile templates: an error of kind kLimit, never a crash, a hang or a leak.
#include "text/jinja/template.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace ridge::jinja {
namespace {

// Smaller than the default ones, so that reaching them is quick under sanitizers too.
constexpr Limits kSmall{.max_steps = 400'000, .max_output_bytes = std::size_t{8} << 20};

std::string rendered_within(std::string_view source, const Limits& limits = kSmall) {
  return Template(source).render(Json::object(), {.limits = limits, .now = std::nullopt});
}

std::string outcome(std::string_view source, const Limits& limits = kSmall) {
  try {
    return "rendered " + std::to_string(rendered_within(source, limits).size()) + " bytes";
  } catch (const TemplateError& error) {
    return error.kind() == ErrorKind::kLimit ? "limit" : error.what();
  }
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

TEST(Limits, StepsOutputAndDepthAreBounded) {
  constexpr std::string_view kLoop = "{% for a in range(1000) %}{% for b in range(1000) %}{% endfor %}{% endfor %}";
  EXPECT_EQ(outcome(kLoop, {.max_steps = 10'000}), "limit");
  EXPECT_EQ(outcome("{% for a in range(99) %}0123456789{% endfor %}", {.max_output_bytes = 500}), "limit");
  EXPECT_EQ(outcome("{% for a in range(99) %}0123456789{% endfor %}", {.max_output_bytes = 990}), "rendered 990 bytes");
  EXPECT_EQ(outcome("{{ [[[[1]]]] }}", {.max_depth = 3}), "limit");
  EXPECT_EQ(outcome("{{ [[[[1]]]] }}", {.max_depth = 6}), "rendered 9 bytes");
}

TEST(Limits, DeepSourceIsRefusedBeforeTheStackEnds) {
  constexpr std::size_t kDeep = 100'000;
  for (const char* open :
       {"(", "[", "{1:", "-", "not ", "a[", "f(", "(1,", "1 if ", "1 if 1 else ", "a|f(", "a is b("}) {
    EXPECT_NE(outcome("{{ " + repeated(open, kDeep)).substr(0, 8), "rendered") << open;
  }
  for (const char* more : {" + 1", " * 1", " ** 1", ".a", "[0]", "()", "|upper", " and 1", " or 1"}) {
    EXPECT_EQ(outcome("{{ 1" + repeated(more, 20'000) + " }}").substr(0, 5), "limit") << more;
  }
  for (const char* tag : {"{% if 1 %}", "{% for x in y %}", "{% macro m() %}", "{% call m() %}", "{% filter upper %}",
                          "{% set x %}", "{% with %}", "{% generation %}"}) {
    EXPECT_EQ(outcome(repeated(tag, 20'000)), "limit") << tag;
  }
}

TEST(Limits, RecursionEnds) {
  EXPECT_EQ(outcome("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"), "limit");
  EXPECT_EQ(outcome("{% macro m() %}{% call m() %}{% endcall %}{{ caller }}{% endmacro %}{{ m() }}"), "limit");
  EXPECT_EQ(outcome("{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}"), "limit");
  EXPECT_EQ(outcome("{% macro m(a=m()) %}{% endmacro %}{{ m() }}"), "limit");
}

TEST(Limits, TextCannotGrowWithoutEnd) {
  EXPECT_EQ(outcome("{{ 'a' * 9223372036854775807 }}"), "limit");
  EXPECT_EQ(outcome("{{ 'ab' * 9223372036854775807 }}"), "limit");
  EXPECT_EQ(outcome("{{ '' * 9223372036854775807 }}"), "rendered 0 bytes");
  const std::string grow = "{% set ns = namespace(s='aaaa') %}{% for i in range(99) %}";
  for (const char* how :
       {"ns.s ~ ns.s", "ns.s + ns.s", "ns.s * 99", "ns.s|replace('a','aaa')", "ns.s.replace('','aa')",
        "[ns.s, ns.s]|join", "''.join([ns.s, ns.s])", "'%s%s' % (ns.s, ns.s)", "'{0}{0}'.format(ns.s)",
        "[ns.s, ns.s]|tojson", "[ns.s, ns.s]|string", "ns.s.center(ns.s|length * 2)"}) {
    EXPECT_EQ(outcome(grow + "{% set ns.s = " + how + " %}{% endfor %}{{ ns.s|length }}"), "limit") << how;
  }
  EXPECT_EQ(outcome("{{ 'a'.center(9223372036854775807) }}"), "limit");
  EXPECT_EQ(outcome("{{ 'a'.zfill(9223372036854775807) }}"), "limit");
  EXPECT_EQ(outcome("{{ 'a'|indent(9223372036854775807) }}"), "limit");
  EXPECT_EQ(outcome("{{ 1|tojson(indent=9223372036854775807) }}"), "limit");
  EXPECT_EQ(outcome("{{ '{:99999999999}'.format(1) }}"), "limit");
  EXPECT_EQ(outcome("{{ '{:.99999999999f}'.format(1.5) }}"), "limit");
  EXPECT_EQ(outcome("{{ '%*d' % (999999999999, 1) }}").substr(0, 13), "template line");
}

TEST(Limits, ValuesCannotGrowWithoutEnd) {
  EXPECT_EQ(outcome("{{ [1, 2] * 9223372036854775807 }}"), "limit");
  EXPECT_EQ(outcome("{% set ns = namespace(l=[1]) %}{% for i in range(99) %}{% set ns.l = ns.l + ns.l %}{% endfor %}"),
            "limit");
  EXPECT_EQ(outcome("{% set ns = namespace(l=[1]) %}{% for i in range(999) %}{% set ns.l = [ns.l] %}{% endfor %}"),
            "limit");
  EXPECT_EQ(outcome("{% set ns = namespace(l=1) %}{% for i in range(999) %}{% set ns.l = {'a': ns.l} %}{% endfor %}"),
            "limit");
  EXPECT_EQ(outcome("{{ [1]|batch(9223372036854775807, 1)|list }}"), "limit");
  EXPECT_EQ(outcome("{{ [1]|slice(9223372036854775807)|list }}"), "limit");
  EXPECT_EQ(outcome("{{ range(-9223372036854775807, 9223372036854775807) }}"), "limit");
}

// Each level holds the one below twice: what walks over it would take 2^200 steps.
TEST(Limits, SharedValuesCostWhatTheyUnfoldTo) {
  const std::string twice =
      "{% set ns = namespace(a=[1], b=[1]) %}{% for i in range(200) %}{% set ns.a = [ns.a, ns.a] %}"
      "{% set ns.b = [ns.b, ns.b] %}{% endfor %}";
  for (const char* use : {"ns.a == ns.b", "ns.a|tojson", "ns.a|string", "ns.a < ns.b", "ns.a in [ns.b]"}) {
    EXPECT_EQ(outcome(twice + "{{ " + use + " }}"), "limit") << use;
  }
  EXPECT_EQ(outcome("{% set ns = namespace(a=(1,)) %}{% for i in range(200) %}{% set ns.a = (ns.a, ns.a) %}{% endfor %}"
                    "{{ {ns.a: 1} }}"),
            "limit");
}

TEST(Limits, SearchesAreLinear) {
  const std::string setup = "{% set h = 'a' * 4000000 %}{% set n = 'a' * 2000000 ~ 'b' %}";
  for (const char* use : {"n in h", "h.find(n)", "h.count(n)", "h.split(n)|length", "h.replace(n, '')|length"}) {
    EXPECT_EQ(outcome(setup + "{{ " + use + " }}").substr(0, 8), "rendered") << use;
  }
  for (const char* use : {"h.rfind(n)", "h.rsplit(n)", "h.rpartition(n)", "h.strip(n ~ 'c')"}) {
    EXPECT_EQ(outcome(setup + "{{ " + use + " }}"), "limit") << use;
  }
}

TEST(Limits, ADeepChainOfNamespacesIsNotPrinted) {
  const std::string chain =
      "{% set ns = namespace() %}{% for i in range(20000) %}{% set ns.n = namespace(n=ns.n) %}{% endfor %}";
  EXPECT_EQ(outcome(chain + "{{ ns }}"), "limit");
  EXPECT_EQ(outcome(chain + "{{ [ns.n] }}"), "limit");
  EXPECT_EQ(outcome(chain + "{{ ns == ns.n }}"), "rendered 5 bytes");
}

// A value may hold itself through a namespace, a macro or a loop; all is freed at the end (asan sees leaks).
TEST(Limits, CyclesAreFreed) {
  EXPECT_EQ(rendered_within("{% set ns = namespace() %}{% set ns.me = [ns] %}{{ ns }}"),
            "<Namespace {'me': [<Namespace {...}>]}>");
  EXPECT_EQ(rendered_within(
                "{% set ns = namespace() %}{% for x in [1] %}{% set ns.l = loop %}{% set _ = loop.changed(loop) %}"
                "{% endfor %}{{ ns.l.index }}"),
            "1");
  EXPECT_EQ(rendered_within("{% set ns = namespace() %}{% macro m() %}{% set ns.c = caller %}{% endmacro %}"
                            "{% call m() %}x{% endcall %}{{ ns.c() }}"),
            "x");
  EXPECT_EQ(
      rendered_within("{% macro a() %}{{ b is defined }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ b() }}"),
      "True");
  EXPECT_EQ(
      outcome("{% set ns = namespace() %}{% for i in range(20000) %}{% set ns.n = namespace(n=ns.n) %}{% endfor %}")
          .substr(0, 8),
      "rendered");
}

}  // namespace
}  // namespace ridge::jinja
