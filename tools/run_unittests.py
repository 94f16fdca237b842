#!/usr/bin/env python3
"""Runs the unittest files *_test.py of a folder and closes with their totals. Usage: run_unittests.py FOLDER"""
import sys
import unittest


def main():
    suite = unittest.defaultTestLoader.discover(sys.argv[1], pattern="*_test.py")
    result = unittest.TextTestRunner(verbosity=2, stream=sys.stdout).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    skipped = len(result.skipped)
    none = int(result.testsRun == 0)  # no test at all is a failure
    print(f"{result.testsRun - failed - skipped} passed, {failed + none} failed, {skipped} skipped")
    sys.exit(1 if failed or none else 0)


if __name__ == "__main__":
    main()
