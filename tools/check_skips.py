#!/usr/bin/env python3
"""Checks that every skipped test of a ctest run stands in tests/skips.md with the hardware it lacks, and that every test
named there exists. A name there may be a pattern (`*_avx512`). Usage: check_skips.py BUILD_FOLDER [SKIPS_FILE]"""
import fnmatch
import pathlib
import re
import sys

import test_results
import tree

ROW = re.compile(r"^\|\s*`([^`]+)`\s*\|\s*([^|]*?)\s*\|\s*$")


def listed_skips(path):
    """{name: (line, hardware)} of the table in skips.md."""
    rows = {}
    for number, line in enumerate(pathlib.Path(path).read_text(encoding="utf-8").splitlines(), start=1):
        if match := ROW.match(line):
            rows[match[1]] = (number, match[2])
    return rows


def covers(pattern, name):
    """Whether a row's pattern names this test, or the ctest entry that it is a case of."""
    return fnmatch.fnmatchcase(name, pattern) or fnmatch.fnmatchcase(name.split(" ")[0], pattern)


def check(results, listed, skips_file):
    findings = []
    for name in results.named("skipped"):
        if not any(covers(pattern, name) for pattern in listed):
            findings.append(f"{skips_file}:1: {name} was skipped: list it with the hardware it lacks")
    for name, (line, hardware) in listed.items():
        if not any(covers(name, found) for found in results.outcomes):
            findings.append(f"{skips_file}:{line}: {name}: there is no such test")
        if not hardware:
            findings.append(f"{skips_file}:{line}: {name}: name the hardware it lacks")
    return findings


def main():
    skips_file = sys.argv[2] if len(sys.argv) > 2 else "tests/skips.md"
    results = test_results.Results(sys.argv[1])
    listed = listed_skips(skips_file)
    skipped = results.named("skipped")
    tree.table(["tests", "count"], [["ran", len(results.outcomes) - len(skipped)], ["skipped", len(skipped)],
                                    ["listed as skips", len(listed)]])
    tree.finish(check(results, listed, skips_file))


if __name__ == "__main__":
    main()
