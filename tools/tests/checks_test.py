"""Each check catches a bad sample and passes a good one."""
import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import check_budgets
import check_isa
import check_layers
import check_skips
import test_results
import tree


class Sample(unittest.TestCase):
    """A scratch tree of files."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def assert_finding(self, findings, *parts):
        self.assertTrue(any(all(part in finding for part in parts) for finding in findings), findings)


class Lexing(unittest.TestCase):
    def test_comments_and_strings_become_spaces(self):
        text = 'int a = 1\'000; // "x" {\nauto s = "// {"; /* }\n */ char c = \'"\'; auto r = R"(")";'
        bare = tree.without_comments(text)
        self.assertEqual(len(bare), len(text))
        self.assertNotIn("{", bare)
        self.assertNotIn("}", bare)
        self.assertEqual(bare.count(";"), 4)


class Layers(Sample):
    def findings(self):
        return check_layers.check(self.root)[1]

    def test_good(self):
        self.write("src/model/a.cpp", '#include "model/a.h"\n#include "ops/b.h"\n#include <nlohmann/json.hpp>\n')
        self.write("src/core/env.cpp", 'const char* a = getenv("HOME");\n')
        self.write("apps/ridge/main.cpp", '#include "lab/a.h"\n// getenv( in a comment\n')
        self.assertEqual(self.findings(), [])

    def test_bad_direction(self):
        self.write("src/core/a.h", '#pragma once\n#include "ops/b.h"\n')
        self.write("src/device/a.h", '#include "formats/b.h"\n')
        self.assert_finding(self.findings(), "src/core/a.h:2:", "ops/b.h")
        self.assert_finding(self.findings(), "src/device/a.h:1:", "it sees core")

    def test_bad_include(self):
        self.write("src/core/a.h", '#include "../b.h"\n#include <nlohmann/json.hpp>\n')
        self.assert_finding(self.findings(), "src/core/a.h:1:", "never ../")
        self.assert_finding(self.findings(), "src/core/a.h:2:", "heavy header")

    def test_unknown_layer(self):
        self.write("src/misc/a.h", "")
        self.assert_finding(self.findings(), "src/misc/a.h:1:", "not a layer")

    def test_environment(self):
        self.write("src/ops/a.cpp", '\nauto a = std::getenv("A");\n')
        self.write("src/core/env.cpp", "".join(f'getenv("NAME_{i}");\n' for i in range(11)))
        self.assert_finding(self.findings(), "src/ops/a.cpp:2:", "src/core/env.cpp only")
        self.assert_finding(self.findings(), "11 environment variables")

    def test_macros(self):
        self.write("src/core/a.h", "#define MAX(a) a\n")
        self.write("src/core/b.h", "".join(f"#define RIDGE_{i}\n" for i in range(5)))
        self.assert_finding(self.findings(), "src/core/a.h:1:", "macro MAX")
        self.assert_finding(self.findings(), "6 macros")

    def test_foreign_names(self):
        self.write("docs/a.md", "x\nsee /work" + "/shared\n")
        self.write("docs/b.md", "a framework/root/x is fine\n")
        findings = self.findings()
        self.assertEqual(len(findings), 1, findings)
        self.assert_finding(findings, "docs/a.md:2:")


FUNCTIONS = """
#include <x>
namespace a {
template <class T = int>
struct S : B<T> {
  explicit S(int a) : a_{a}, b_(std::vector<int>{1, 2}) {
    g();
  }
  int get() const noexcept { return a_; }
 private:
  int a_{};
};
enum class E : int { kA = 1, kB };
constexpr Row kTable[] = {{1, f(2)}, {3, 4}};
const std::map<int, std::function<void(int)>> kMap = {{1, f}};
auto operator==(const A& a, const B& b) -> bool {
  for (int i = 0; i < 3; ++i) {
    if (i == 1) { return false; }
  }
  return true;
}
void with_default(std::vector<int> v = {1, 2}, int b = f({3})) {
}
extern "C" int entry(const char* s) { return 0; }
extern "C" {
int inner() { return 1; }
}
const auto lambda = [](int x) {
  return x;
};
TEST(Suite, Case) {
}
}
"""


class Budgets(Sample):
    def test_functions(self):
        found = [(line, size) for line, size, _ in check_budgets.functions(FUNCTIONS)]
        self.assertEqual(found, [(6, 3), (9, 1), (16, 6), (22, 2), (24, 1), (26, 1), (28, 3), (31, 2)])

    def test_long_function(self):
        self.write("src/core/a.cpp", "\nint f() {\n" + "  g();\n" * 79 + "}\n")
        self.assert_finding(check_budgets.check(self.root)[1], "src/core/a.cpp:2:", "81 lines")

    def test_soft_limit(self):
        self.write("src/core/a.cpp", "int f() {\n" + "  g();\n" * 50 + "}\n")
        self.assert_finding(check_budgets.check(self.root)[1], "95th percentile of function lines is 52")

    def test_long_function_in_header(self):
        body = "inline int f() {\n" + "  g();\n" * 10 + "}\n"
        self.write("src/core/a.h", body + "template <class T>\n" + body)
        findings = check_budgets.check(self.root)[1]
        self.assertEqual(len(findings), 1, findings)
        self.assert_finding(findings, "src/core/a.h:1:", "in a header")

    def test_long_file(self):
        self.write("src/core/a.cpp", "\n" * 701)
        self.assert_finding(check_budgets.check(self.root)[1], "src/core/a.cpp:1:", "701 lines")

    def test_good(self):
        self.write("src/core/a.cpp", FUNCTIONS)
        self.assertEqual(check_budgets.check(self.root)[1], [])


class Isa(Sample):
    def compile(self, name, text, *flags):
        source = self.write(f"src/{name}", text)
        target = self.root / "objects/src" / (name + ".o")
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["g++", "-O2", *flags, "-c", source, "-o", target], check=True)

    def test_weak_symbol(self):
        self.compile("a_avx2.cpp", "inline int f(int x) { return x; } int (*p)(int) = f;", "-mavx2")
        self.assert_finding(check_isa.check(self.root / "objects")[1], "src/a_avx2.cpp:1:", "f(int)")

    def test_wide_register(self):
        self.compile("a.cpp", "void f(float* x) { for (int i = 0; i < 64; ++i) x[i] += 1; }", "-O3", "-mavx2")
        self.assert_finding(check_isa.check(self.root / "objects")[1], "src/a.cpp:1:", "f(float*)")

    def test_good(self):
        text = "namespace { int f(int x) { return x; } } int (*p)(int) = f; void g(float* x) { x[0] += 1; }"
        self.compile("a_avx2.cpp", text, "-mavx2")
        self.compile("b.cpp", text)
        self.assertEqual(check_isa.check(self.root / "objects")[1], [])

    def test_nothing_built(self):
        self.assert_finding(check_isa.check(self.root)[1], "build first")


class Skips(Sample):
    def results(self):
        cases = [{"name": "A", "status": "RUN", "result": "COMPLETED"},
                 {"name": "B", "status": "RUN", "result": "SKIPPED"},
                 {"name": "C", "status": "RUN", "result": "COMPLETED", "failures": [{}]},
                 {"name": "DISABLED_D", "status": "NOTRUN", "result": "SUPPRESSED"}]
        self.write("test-results/ops.json", json.dumps({"testsuites": [{"name": "S", "testsuite": cases}]}))
        self.write("test-results/ctest.xml", """<testsuite>
          <testcase name="ops" status="fail"><failure/></testcase>
          <testcase name="ops_avx512" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>
          <testcase name="crashed" status="fail"><failure/></testcase></testsuite>""")
        return test_results.Results(self.root)

    def test_outcomes(self):
        self.assertEqual(self.results().outcomes, {
            "ops S.A": "passed", "ops S.B": "skipped", "ops S.C": "failed", "ops S.DISABLED_D": "skipped",
            "ops_avx512": "skipped", "crashed": "failed"})

    def test_check(self):
        skips = self.write("skips.md", "| test | lacks |\n|---|---|\n| `*_avx512` | AVX-512 |\n| `gone` | GPU |\n"
                           "| `ops S.B` | |\n")
        findings = check_skips.check(self.results(), check_skips.listed_skips(skips), "skips.md")
        self.assertEqual(len(findings), 3, findings)
        self.assert_finding(findings, "ops S.DISABLED_D was skipped")
        self.assert_finding(findings, "skips.md:4:", "gone", "no such test")
        self.assert_finding(findings, "skips.md:5:", "name the hardware")


class Reports(unittest.TestCase):
    def test_percentile(self):
        self.assertEqual([tree.percentile(range(1, 21), share) for share in (50, 95, 100)], [10, 19, 20])
        self.assertEqual(tree.percentile([], 95), 0)

    def test_finish(self):
        for findings, code in (([], 0), (["a.cpp:1: wrong"], 1)):
            with contextlib.redirect_stderr(io.StringIO()) as printed, self.assertRaises(SystemExit) as stop:
                tree.finish(findings)
            self.assertEqual(stop.exception.code, code)
            self.assertEqual(printed.getvalue(), "".join(line + "\n" for line in findings))


if __name__ == "__main__":
    unittest.main()
