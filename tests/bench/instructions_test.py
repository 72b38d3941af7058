#!/usr/bin/env python3
"""Tests of instructions.py, which reads the dumps of callgrind."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench" / "report"))

import instructions  # noqa: E402  pylint: disable=wrong-import-position
import limits  # noqa: E402  pylint: disable=wrong-import-position

LIMIT = limits.Limit("get/dolmen", "<=", 1.10, "get/rocksdb")


def dump(trigger, total):
    return f"version: 1\ndesc: Trigger: {trigger}\n\nevents: Ir\nfn=(1) f\n1 7\n\ntotals: {total}\n"


def before(function, total):
    return dump(f"--dump-before={function}", total)


def resumed(total):
    return dump(f"--dump-after={instructions.RESUME}", total)


class CountedTest(unittest.TestCase):
    def test_counts_instructions_between_resuming_and_pausing(self):
        first = [
            resumed(9000),  # before the first iteration
            before(instructions.PAUSE, 100),
            resumed(5000),  # requests that are built while the timer is paused
            before(instructions.FINISH, 30),
        ]
        second = [
            before(instructions.PAUSE, 2),  # instructions of FINISH, which belong to the first row
            resumed(8000),
            before(instructions.FINISH, 200),
            before(instructions.PAUSE, 2),
            dump("Program termination", 4000),
        ]
        self.assertEqual(instructions.counted(first + second), [130, 202])


class JudgedTest(unittest.TestCase):
    def test_a_ratio_at_its_limit_passes(self):
        lines, right = instructions.judged([LIMIT], {"get/dolmen": 110, "get/rocksdb": 100})
        self.assertTrue(right)
        self.assertRegex(lines[-1], r"^get/dolmen +110 +1\.100  <= 1\.10 x get/rocksdb$")

    def test_a_ratio_above_its_limit_fails(self):
        lines, right = instructions.judged([LIMIT], {"get/dolmen": 112, "get/rocksdb": 100})
        self.assertFalse(right)
        self.assertIn("EXCEEDED", lines[-1])

    def test_a_row_that_was_not_counted_fails(self):
        lines, right = instructions.judged([LIMIT], {"get/rocksdb": 100})
        self.assertFalse(right)
        self.assertIn("NOT COUNTED", lines[-1])

    def test_reads_the_limits_of_the_repository(self):
        self.assertTrue(limits.read(instructions.LIMITS))


if __name__ == "__main__":
    unittest.main()
