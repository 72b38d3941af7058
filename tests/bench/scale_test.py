#!/usr/bin/env python3
"""Tests of scale.py, which runs dolmen_scale and reports its points."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).parents[2] / "bench" / "scale"
sys.path.insert(0, str(SCRIPTS))

import scale  # noqa: E402  pylint: disable=wrong-import-position
import charts  # noqa: E402  pylint: disable=wrong-import-position

# A replacement for dolmen_scale. It lists two points, times "table/10" and fails at "table/7".
PROGRAM = """#!/bin/sh
for argument; do
  case $argument in
    --points) echo table/10 10; echo table/7 700; exit ;;
    --point=table/7) exit 1 ;;
    --benchmark_out=*) cp "$0.json" "${argument#*=}" ;;
  esac
done
"""


def entries(name, microseconds, rows, cv=0.01):
    median = {
        "run_name": name,
        "aggregate_name": "median",
        "cpu_time": microseconds,
        "time_unit": "us",
        "seconds_per_row": microseconds * 1e-6 / rows,
    }
    return [median, median | {"aggregate_name": "cv", "cpu_time": cv}]


def document(dolmen=20.0, cv=0.01):
    found = []
    for series, size, rows in (("table", 10, 50), ("table", 100, 50), ("item", 100_000, 11)):
        for question in scale.QUESTIONS:
            answered = 1 if question == "get" else rows
            found += entries(f"{series}_{question}/dolmen/{size}", dolmen, answered, cv)
            found += entries(f"{series}_{question}/rocksdb/{size}", 16.0, answered)
    return {"context": {"rocksdb": "7.8.3", "host_name": "name"}, "benchmarks": found}


class CostsTest(unittest.TestCase):
    def test_a_point_has_a_cost_per_question_and_per_row(self):
        cost = scale.costs_of(document())["table", "forward", "dolmen", 100]
        self.assertEqual(cost.question, 20.0)
        self.assertAlmostEqual(cost.row, 0.4)
        self.assertEqual(cost.rows, 50)


class TableTest(unittest.TestCase):
    def line(self, costs, size):
        return next(line for line in scale.table(costs) if line.startswith(f"| {size} |"))

    def test_the_table_has_ratios_by_page_and_by_row(self):
        cells = self.line(scale.costs_of(document()), "100,000").split(" | ")
        self.assertEqual(cells[1], "20.0 / 16.0 = 1.25")
        self.assertEqual(cells[4], "11")
        self.assertEqual(cells[5], "1.82 / 1.45 = 1.25")

    def test_a_cell_is_noisy_if_its_variation_exceeds_20_percent(self):
        for cv, noisy in ((0.19, False), (0.21, True)):
            line = self.line(scale.costs_of(document(cv=cv)), "100")
            self.assertEqual("noisy" in line, noisy)

    def test_the_table_omits_series_without_points(self):
        titles = [line for line in scale.table(scale.costs_of(document())) if line[:2] == "##"]
        self.assertEqual([title.split(":")[0] for title in titles], ["## table", "## item"])


class ProgramTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.out = pathlib.Path(directory.name)
        self.program = self.out / "dolmen_scale"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)
        (self.out / "dolmen_scale.json").write_text(json.dumps(document()))

    def scale(self, program, *arguments):
        command = [sys.executable, "-B", SCRIPTS / "scale.py", program, "--out", self.out]
        return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)

    def test_records_the_points_up_to_the_maximum(self):
        ran = self.scale(self.program, "--max=10")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        recorded = json.loads((self.out / "scale.json").read_text())
        self.assertNotIn("host_name", recorded["context"])
        self.assertEqual(scale.costs_of(recorded), scale.costs_of(document()))
        self.assertIn("| 100,000 |", (self.out / "scale.md").read_text())

    def test_records_nothing_if_a_point_fails(self):
        ran = self.scale(self.program)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("table/7 failed", ran.stderr)
        self.assertFalse((self.out / "scale.json").exists())

    @unittest.skipUnless(charts.can_draw(), "no gnuplot: charts are not tested")
    def test_draws_a_recorded_run_with_equal_bytes_each_time(self):
        run = self.out / "given.json"
        run.write_text(json.dumps(document()))
        self.assertEqual(self.scale(run).returncode, 0)
        drawn = (self.out / "scale.svg").read_bytes()
        self.assertIn(b"newest page, dolmen", drawn)
        self.scale(run)
        self.assertEqual(drawn, (self.out / "scale.svg").read_bytes())


if __name__ == "__main__":
    unittest.main()
