#!/usr/bin/env python3
"""Runs every fuzzer of a build (presets: fuzz), as many at once as there are cores, and holds the lines they reach.

x_fuzz.cpp names the parser it must cover in a comment, with patterns relative to the checkout:
    // Covers: src/model/gguf.cpp src/model/gguf_*.cpp
Its seeds are the files of tests/data/fuzz/x. What it finds is kept in BUILD/corpus/x from run to run.
Usage: run_fuzzers.py BUILD_FOLDER [--seconds N] [--least PERCENT]"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

import tree

ROOT = pathlib.Path(__file__).resolve().parents[1]


class Fuzzer:
    def __init__(self, build, source):
        self.source = source
        self.name = source.name.removesuffix(".cpp")
        self.build = build.resolve()
        self.binary = self.build / self.name
        self.corpus = self.build / "corpus" / self.name
        self.seeds = ROOT / "tests/data/fuzz" / self.name.removesuffix("_fuzz")

    def covered_files(self):
        """The files named by the `Covers:` comment."""
        text = (ROOT / self.source).read_text(encoding="utf-8")
        patterns = re.search(r"^// Covers: (.+)$", text, re.M)
        return sorted({path for pattern in (patterns[1].split() if patterns else []) for path in ROOT.glob(pattern)})

    def problem_before(self):
        if not self.covered_files():
            return f"{self.source}:1: names no file that exists: // Covers: src/<layer>/<file>.cpp"
        if not self.seeds.is_dir() or not any(self.seeds.iterdir()):
            return f"{self.source}:1: has no seeds in {self.seeds.relative_to(ROOT)}"
        return None

    def _run(self, profile, *flags):
        """(status, output) of the fuzzer over its corpus and seeds."""
        command = [self.binary, "-timeout=10", "-rss_limit_mb=2048", *flags, self.corpus, self.seeds]
        done = subprocess.run(command, env={**os.environ, "LLVM_PROFILE_FILE": str(profile)}, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout.decode(errors="replace")

    def fuzz(self, seconds):
        self.corpus.mkdir(parents=True, exist_ok=True)
        crash = self.build / f"crash-{self.name}"
        crash.unlink(missing_ok=True)
        status, output = self._run("/dev/null", f"-max_total_time={seconds}", f"-exact_artifact_path={crash}",
                                   "-print_final_stats=1")
        if status == 0:
            return None
        again = f"{self.binary} {crash}" if crash.exists() else "see the output above"
        return f"{output[-6000:]}\n{self.source}:1: failed; the input that shows it: {again}"

    def lines_reached(self):
        """(covered, count) lines of the named files over the corpus and the seeds."""
        raw, merged = self.build / f"{self.name}.profraw", self.build / f"{self.name}.profdata"
        status, output = self._run(raw, "-runs=0")
        if status != 0:
            raise RuntimeError(output[-2000:])
        subprocess.run(["llvm-profdata-14", "merge", "-sparse", raw, "-o", merged], check=True)
        report = subprocess.run(
            ["llvm-cov-14", "export", "-summary-only", f"-instr-profile={merged}", self.binary, *self.covered_files()],
            check=True, capture_output=True).stdout
        lines = json.loads(report)["data"][0]["totals"]["lines"]
        return lines["covered"], lines["count"]


def run(fuzzer, seconds, least):
    """(row of the table, finding or None) of one fuzzer."""
    problem = fuzzer.problem_before() or fuzzer.fuzz(seconds)
    if problem:
        return [fuzzer.name, "-", "-", "-"], problem
    covered, count = fuzzer.lines_reached()
    percent = 100 * covered / max(count, 1)
    row = [fuzzer.name, len(list(fuzzer.corpus.iterdir())), f"{covered}/{count}", f"{percent:.1f} %"]
    if percent < least:
        return row, f"{fuzzer.source}:1: reaches {percent:.1f} % of the lines of its parser, at least {least} %"
    return row, None


def main():
    parser = argparse.ArgumentParser(description="Runs every fuzzer of a build and holds the lines they reach.")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--least", type=float, default=85, help="percent of the parser's lines")
    options = parser.parse_args()
    fuzzers = [Fuzzer(options.build, path) for path in tree.files(ROOT) if path.name.endswith("_fuzz.cpp")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda fuzzer: run(fuzzer, options.seconds, options.least), fuzzers))
    findings = [finding for _, finding in results if finding]
    for finding in findings:
        print(finding)
    tree.table(["fuzzer", "inputs", "lines", "reached"], [row for row, _ in results])
    print(f"{len(results) - len(findings)} passed, {len(findings)} failed")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
