#!/usr/bin/env python3
"""Reads what a ctest run left in BUILD_FOLDER/test-results and prints its totals.
Usage: test_results.py BUILD_FOLDER"""
import json
import pathlib
import sys
import xml.etree.ElementTree


class Results:
    """Every test's outcome ("passed", "failed" or "skipped") by name: "entry" or "entry Suite.Case".

    An entry is a line of ctest. One that left a GoogleTest report counts by its cases; one that did not (it crashed, or
    is no GoogleTest) counts as one test.
    """

    def __init__(self, build):
        folder = pathlib.Path(build, "test-results")
        self.outcomes = {}
        for entry, outcome in self._entries(folder / "ctest.xml"):
            report = folder / f"{entry}.json"
            cases = self._cases(report) if report.exists() else {}
            self.outcomes.update({f"{entry} {case}": result for case, result in cases.items()})
            if not cases or (outcome == "failed" and "failed" not in cases.values()):
                self.outcomes[entry] = outcome

    @staticmethod
    def _entries(path):
        if not path.exists():
            return
        for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
            if case.find("skipped") is not None:
                yield case.get("name"), "skipped"
            else:
                yield case.get("name"), "passed" if case.get("status") == "run" else "failed"

    @staticmethod
    def _cases(path):
        cases = {}
        for suite in json.loads(path.read_text(encoding="utf-8"))["testsuites"]:
            for case in suite["testsuite"]:
                name = f"{suite['name']}.{case['name']}"
                if case["status"] == "NOTRUN" or case["result"] == "SKIPPED":
                    cases[name] = "skipped"
                else:
                    cases[name] = "failed" if case.get("failures") else "passed"
        return cases

    def named(self, outcome):
        return [name for name, result in self.outcomes.items() if result == outcome]


def main():
    results = Results(sys.argv[1])
    passed, failed, skipped = (results.named(outcome) for outcome in ("passed", "failed", "skipped"))
    for name in failed:
        print(f"failed: {name}")
    failures = len(failed) + (not results.outcomes)  # no test at all is a failure
    print(f"{len(passed)} passed, {failures} failed, {len(skipped)} skipped")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
