#!/usr/bin/env python3
"""Tests of report.py with a recorded run, and with changed figures in that run."""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
SCRIPTS = HERE.parents[1] / "bench" / "report"
sys.path.insert(0, str(SCRIPTS))

import charts  # noqa: E402  pylint: disable=wrong-import-position
import limits  # noqa: E402  pylint: disable=wrong-import-position
import report  # noqa: E402  pylint: disable=wrong-import-position
import results  # noqa: E402  pylint: disable=wrong-import-position

RUN = results.load(HERE / "run.json")


def changed(name, aggregate, **fields):
    """Returns the recorded run with changed figures for a row."""
    document = copy.deepcopy(RUN)
    for entry in document["benchmarks"]:
        if entry["run_name"] == name and entry["aggregate_name"] == aggregate:
            entry.update(fields)
    return document


def line_of(lines, *words):
    found = [line for line in lines if all(word in line.split() for word in words)]
    assert len(found) == 1, (words, lines)
    return found[0]


class RowsTest(unittest.TestCase):
    def test_the_value_of_a_row_is_its_median_of_cpu_time(self):
        row = results.rows_of(changed("newest_50/dolmen", "median", cpu_time=21.5))[
            "newest_50/dolmen"
        ]
        self.assertEqual((row.workload, row.contender), ("newest_50", "dolmen"))
        self.assertEqual(row.value, 21.5)
        self.assertIsNotNone(row.cv)

    def test_the_value_of_a_row_by_the_clock_is_its_median_in_microseconds(self):
        entry = {
            "run_name": "open_disk/dolmen/real_time",
            "run_type": "aggregate",
            "aggregate_name": "median",
            "real_time": 3.5,
            "cpu_time": 1.0,
            "time_unit": "ms",
        }
        row = results.rows_of({"benchmarks": [entry]})["open_disk/dolmen"]
        self.assertEqual((row.value, row.is_throughput), (3500, False))

    def test_the_value_of_a_row_with_threads_is_its_throughput(self):
        entry = {
            "run_name": "mixed/dolmen/iterations:100/real_time/threads:2",
            "run_type": "aggregate",
            "aggregate_name": "median",
            "real_time": 3.5,
            "cpu_time": 1.0,
            "time_unit": "us",
            "items_per_second": 9e4,
        }
        row = results.rows_of({"benchmarks": [entry]})["mixed/dolmen/threads:2"]
        self.assertEqual((row.workload, row.contender), ("mixed threads:2", "dolmen"))
        self.assertEqual((row.value, row.is_throughput), (9e4, True))

    def test_a_row_without_repetitions_has_no_variation(self):
        entry = {
            "run_name": "parse/dolmen",
            "run_type": "iteration",
            "real_time": 1.0,
            "cpu_time": 800.0,
            "time_unit": "ns",
        }
        self.assertEqual(
            results.rows_of({"benchmarks": [entry]}),
            {"parse/dolmen": results.Row("parse/dolmen", 0.8)},
        )

    def test_a_cold_row_is_named_cold_and_is_its_median_by_the_clock(self):
        entry = {
            "run_name": "point_get/lmdb/iterations:100/real_time",
            "run_type": "aggregate",
            "aggregate_name": "median",
            "real_time": 2.5,
            "cpu_time": 1.0,
            "time_unit": "ms",
        }
        row = results.cold_rows_of({"benchmarks": [entry]})["cold_point_get/lmdb"]
        self.assertEqual((row.workload, row.contender, row.value), ("cold_point_get", "lmdb", 2500))

    def test_sizes_are_bytes_per_message(self):
        sizes = results.sizes_of({"context": {"messages": "10", "bytes_on_disk_dolmen": "1015"}})
        self.assertEqual(sizes["bytes_per_message/dolmen"].value, 101.5)


class TableTest(unittest.TestCase):
    def test_the_table_has_medians_and_dolmens_ratio_to_each_contender(self):
        document = changed("newest_50/dolmen", "median", cpu_time=30.0)
        for entry in document["benchmarks"]:
            if entry["run_name"] == "newest_50/rocksdb" and entry["aggregate_name"] == "median":
                entry["cpu_time"] = 20.0
        lines = report.table(results.rows_of(document))
        dolmen = next(i for i, line in enumerate(lines) if line.startswith("newest_50"))
        self.assertRegex(lines[dolmen], r"^newest_50 +dolmen +30\.0 us ")
        self.assertRegex(lines[dolmen + 1], r"^ +rocksdb +20\.0 us .* 1\.50 x")

    def test_a_row_is_noisy_if_its_variation_exceeds_20_percent(self):
        for cv, noisy in ((0.19, False), (0.21, True)):
            rows = results.rows_of(changed("newest_50/dolmen", "cv", cpu_time=cv))
            line = line_of(report.table(rows), "newest_50", "dolmen")
            self.assertEqual(line.endswith("noisy"), noisy)


class TargetsTest(unittest.TestCase):
    TARGET = limits.Limit("newest_50/dolmen", "<=", 1.10, "newest_50/rocksdb")

    def verdicts(self, factor, targets):
        rows = results.rows_of(RUN)
        baseline = rows["newest_50/rocksdb"].value
        document = changed("newest_50/dolmen", "median", cpu_time=factor * baseline)
        return report.verdicts(results.rows_of(document), targets)

    def test_a_ratio_within_its_target_holds(self):
        lines = self.verdicts(1.05, [self.TARGET])
        self.assertTrue(lines[0].startswith("holds   newest_50/dolmen"))
        self.assertEqual(lines[-1], "1 of 1 targets hold; 0 were not measured")

    def test_a_ratio_above_its_target_misses_it(self):
        lines = self.verdicts(1.20, [self.TARGET])
        self.assertTrue(lines[0].startswith("MISSED  newest_50/dolmen"))
        self.assertIn("1.200", lines[0])
        self.assertEqual(lines[-1], "0 of 1 targets hold; 0 were not measured")

    def test_a_target_without_rows_counts_as_not_measured(self):
        lines = self.verdicts(1.05, [limits.Limit("absent/dolmen", "<=", 1.0, "absent/rocksdb")])
        self.assertEqual(lines, ["0 of 0 targets hold; 1 were not measured"])

    def test_a_target_may_be_a_lower_bound(self):
        target = limits.Limit("a/x", ">=", 1.6, "a/y")
        self.assertTrue(target.holds(1.7))
        self.assertFalse(target.holds(1.5))

    def test_the_targets_of_the_repository_have_no_duplicates(self):
        targets = limits.read(report.TARGETS)
        pairs = [(target.row, target.baseline) for target in targets]
        self.assertTrue(pairs)
        self.assertEqual(len(pairs), len(set(pairs)))


class ProgramTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.out = pathlib.Path(directory.name)

    def give_a_cold_run(self, messages):
        rows = [
            {
                "run_name": f"{workload}/{contender}/iterations:100/real_time",
                "run_type": "aggregate",
                "aggregate_name": "median",
                "real_time": time,
                "cpu_time": 1.0,
                "time_unit": "us",
            }
            for workload in ("point_get", "newest_50", "inbox_50")
            for contender, time in (("dolmen", 63.0), ("lmdb", 2302.0))
        ]
        document = {"context": {"messages": messages, "host_name": "name"}, "benchmarks": rows}
        (self.out / "cold.json").write_text(json.dumps(document), encoding="utf-8")

    def report(self, document):
        run = self.out / "given.json"
        run.write_text(json.dumps(document), encoding="utf-8")
        command = [sys.executable, "-B", SCRIPTS / "report.py", run, "--out", self.out]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_records_the_run_without_the_name_of_the_machine(self):
        document = copy.deepcopy(RUN)
        document["context"]["host_name"] = "name"
        self.assertEqual(self.report(document).returncode, 0)
        recorded = results.load(self.out / "results.json")
        self.assertNotIn("host_name", recorded["context"])
        self.assertEqual(results.rows_of(recorded), results.rows_of(RUN))

    def test_rejects_a_run_with_a_failed_row(self):
        document = changed("newest_50/dolmen", "median", error_occurred=True)
        ran = self.report(document)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("newest_50/dolmen", ran.stderr)

    @unittest.skipUnless(charts.can_draw(), "no gnuplot: charts are not tested")
    def test_draws_charts_of_measured_rows_with_equal_bytes_each_time(self):
        (self.out / "opening.svg").write_text("of an earlier run")
        self.assertEqual(self.report(RUN).returncode, 0)
        drawn = {path.name: path.read_bytes() for path in self.out.glob("*.svg")}
        self.assertEqual(set(drawn), {"reads.svg", "writes.svg", "cold_and_size.svg"})
        self.assertIn(b"newest_50", drawn["reads.svg"])
        self.report(RUN)
        again = {path.name: path.read_bytes() for path in self.out.glob("*.svg")}
        self.assertEqual(drawn, again)

    @unittest.skipUnless(charts.can_draw(), "no gnuplot: charts are not tested")
    def test_a_chart_states_the_number_of_messages_their_state_and_the_unit(self):
        self.assertEqual(self.report(RUN).returncode, 0)
        chart = (self.out / "reads.svg").read_text(encoding="utf-8")
        self.assertIn("10^4 messages, warm", chart)
        self.assertIn("microseconds of CPU time", chart)

    def test_records_the_cold_run_without_the_name_of_the_machine(self):
        self.give_a_cold_run("10000")
        self.assertEqual(self.report(RUN).returncode, 0)
        recorded = results.load(self.out / "cold.json")
        self.assertNotIn("host_name", recorded["context"])
        self.assertEqual(results.cold_rows_of(recorded)["cold_inbox_50/lmdb"].value, 2302.0)

    def test_rejects_a_cold_run_with_another_number_of_messages(self):
        self.give_a_cold_run("20000")
        ran = self.report(RUN)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("another number of messages", ran.stderr)

    @unittest.skipUnless(charts.can_draw(), "no gnuplot: charts are not tested")
    def test_draws_cold_reads_above_the_size_on_disk(self):
        self.give_a_cold_run("10000")
        self.assertEqual(self.report(RUN).returncode, 0)
        chart = (self.out / "cold_and_size.svg").read_text(encoding="utf-8")
        self.assertIn("Cold reads and size on disk", chart)
        for text in ("2,302", "logarithmic scale", "bytes on disk per message"):
            self.assertIn(text, chart)

    @unittest.skipUnless(charts.can_draw(), "no gnuplot: charts are not tested")
    def test_draws_the_size_on_disk_alone_if_no_cold_run_exists(self):
        self.assertEqual(self.report(RUN).returncode, 0)
        chart = (self.out / "cold_and_size.svg").read_text(encoding="utf-8")
        self.assertIn("Size on disk", chart)
        self.assertNotIn("Cold reads", chart)


if __name__ == "__main__":
    unittest.main()
