#!/usr/bin/env python3
"""Tests of soak.py, which runs dolmen_soak and draws its samples."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).parents[2] / "bench" / "soak"
sys.path.insert(0, str(SCRIPTS))

import soak  # noqa: E402  pylint: disable=wrong-import-position
import charts  # noqa: E402  pylint: disable=wrong-import-position

MEGABYTE = 1 << 20
RUN = {
    "context": {"messages": 1000000, "threads": 2},
    "limit_bytes": {"cache": 64 * MEGABYTE, "write_buffers": 36 * MEGABYTE},
    "samples": [
        {
            "seconds": seconds,
            "operations_per_second": 9000,
            "resident_bytes": 90 * MEGABYTE,
            "anonymous_bytes": 70 * MEGABYTE,
            "anonymous_bytes_max": 71 * MEGABYTE,
            "allocated_bytes": 60 * MEGABYTE,
        }
        for seconds in (10, 20)
    ],
}
# A replacement for dolmen_soak. If $1 is "nothing", it writes no record. It exits with 0 only if $1
# is "holds".
PROGRAM = """#!/bin/sh
[ "$1" = nothing ] || cp "$0.json" "${2#*=}"
[ "$1" = holds ]
"""


class SoakTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.out = pathlib.Path(directory.name)
        self.program = self.out / "dolmen_soak"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)
        self.recorded = self.out / "dolmen_soak.json"
        self.recorded.write_text(json.dumps(RUN))

    def soak(self, program, *arguments):
        command = [sys.executable, "-B", SCRIPTS / "soak.py", "--out", self.out, program]
        return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)

    def test_the_limit_is_the_sum_of_its_terms(self):
        self.assertEqual(soak.limit_of(RUN), 100 * MEGABYTE)

    def test_records_the_run_and_fails_if_the_limit_was_exceeded(self):
        for verdict, code in (("holds", 0), ("exceeded", 1)):
            ran = self.soak(self.program, verdict)
            self.assertEqual(ran.returncode, code, ran.stderr)
            self.assertEqual(json.loads((self.out / "soak.json").read_text()), RUN)

    def test_fails_if_nothing_was_recorded(self):
        (self.out / "soak.json").write_text("of an earlier run")
        ran = self.soak(self.program, "nothing")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("nothing was recorded", ran.stderr)

    @unittest.skipUnless(charts.can_draw(), "no gnuplot: charts are not tested")
    def test_draws_a_line_at_the_limit(self):
        self.assertEqual(self.soak(self.recorded).returncode, 0)
        self.assertIn(b"limit, 100 MB", (self.out / "soak.svg").read_bytes())


if __name__ == "__main__":
    unittest.main()
