"""The runner of fuzzers passes a parser that is reached, and catches a crash, unreached lines and missing seeds."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ["-std=c++20", "-g1", "-fsanitize=fuzzer,address", "-fprofile-instr-generate", "-fcoverage-mapping"]
TARGET = """// Covers: src/core/parser.cpp
#include <cstddef>
#include <cstdint>
int parse(const std::uint8_t* bytes, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  parse(bytes, size);
  return 0;
}
"""
HEAD = "#include <cstddef>\n#include <cstdint>\nint parse(const std::uint8_t* bytes, std::size_t size) {\n"
GOOD = HEAD + "  if (size > 0 && bytes[0] == 'a')\n    return 1;\n  return 0;\n}\n"
UNREACHED = GOOD + "int unused(int x) {\n" + "  x += 1;\n" * 10 + "  return x;\n}\n"
CRASHING = HEAD + "  if (size > 0 && bytes[0] == 'a') __builtin_trap();\n  return 0;\n}\n"


class RunFuzzers(unittest.TestCase):
    def run_it(self, parser, seeds=("a", "b")):
        """(exit status, output) of the runner over a checkout with one fuzzer."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in ("tools", "src/core", "build", "tests/data/fuzz/parser"):
                (root / name).mkdir(parents=True)
            for name in ("tree.py", "run_fuzzers.py"):
                shutil.copy(ROOT / "tools" / name, root / "tools")
            (root / "src/core/parser.cpp").write_text(parser, encoding="utf-8")
            (root / "src/core/parser_fuzz.cpp").write_text(TARGET, encoding="utf-8")
            for seed in seeds:
                (root / "tests/data/fuzz/parser" / seed).write_text(seed, encoding="utf-8")
            subprocess.run(["clang++-14", *FLAGS, *(root / "src/core").glob("*.cpp"), "-o", root / "build/parser_fuzz"],
                           check=True)
            done = subprocess.run(["python3", root / "tools/run_fuzzers.py", root / "build", "--seconds", "1"],
                                  capture_output=True, text=True, check=False)
            return done.returncode, done.stdout + done.stderr

    def test_good(self):
        status, output = self.run_it(GOOD)
        self.assertEqual(status, 0, output)
        self.assertIn("100.0 %", output)
        self.assertIn("1 passed, 0 failed", output)

    def test_unreached_lines(self):
        status, output = self.run_it(UNREACHED)
        self.assertEqual(status, 1, output)
        self.assertIn("at least 85", output)

    def test_crash(self):
        status, output = self.run_it(CRASHING, seeds=("b",))
        self.assertEqual(status, 1, output)
        self.assertRegex(output, r"the input that shows it: \S+parser_fuzz \S+crash-parser_fuzz")

    def test_no_seeds(self):
        status, output = self.run_it(GOOD, seeds=())
        self.assertEqual(status, 1, output)
        self.assertIn("has no seeds", output)


if __name__ == "__main__":
    unittest.main()
