"""Runs the tests of a folder. The last line has the counts of passed and failed tests."""

import os
import sys
import unittest

import in_process


class Result(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def main():
    folder = os.path.abspath(sys.argv[1])
    if in_process.DIRECTORY:
        in_process.begin()
    tests = unittest.defaultTestLoader.discover(folder, top_level_dir=folder)
    runner = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=Result)
    result = runner.run(tests)
    # A test with several failed subtests counts as one failure.
    failed = {getattr(test, "test_case", test).id() for test, _ in result.errors + result.failures}
    print(f"{result.passed} passed, {len(failed)} failed")
    return 0 if result.passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
