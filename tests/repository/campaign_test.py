#!/usr/bin/env python3
"""Tests of the record that tests/campaign.py writes."""

import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import campaign  # noqa: E402  pylint: disable=wrong-import-position


class RecordTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, campaign, "RECORD", campaign.RECORD)
        campaign.RECORD = pathlib.Path(folder.name) / "campaign.md"

    def test_a_run_replaces_only_its_own_row(self):
        campaign.write(
            {"fuzz": campaign.line_of("fuzz", "aaaaaaa", 60, 0), "soak": campaign.line_of("soak", "a", 600, 1)}
        )
        rows = campaign.read_rows()
        self.assertEqual(set(rows), {"fuzz", "soak"})
        rows["soak"] = campaign.line_of("soak", "bbbbbbb+", 660, 0)
        campaign.write(rows)
        text = campaign.RECORD.read_text(encoding="utf-8")
        self.assertRegex(text, r"\| `fuzz` \| [-0-9]+ \| [.0-9]+ \| aaaaaaa \| 1 \| passed \|")
        self.assertRegex(text, r"\| `soak` \| [-0-9]+ \| [.0-9]+ \| bbbbbbb\+ \| 11 \| passed \|")

    def test_a_run_keeps_the_rows_of_other_variables(self):
        part = {"FUZZ_SECONDS": "600", "ARGS": "statement item", "DOLMEN_SEED": "1"}
        for variables in (part, {"DOLMEN_SEED": "2"}, {"DOLMEN_SEED": "3"}):
            with (
                unittest.mock.patch.dict(os.environ, variables),
                unittest.mock.patch.object(campaign, "run", return_value=0),
            ):
                campaign.campaign(("differential", "fuzz"), 0)
        commands = [
            line.split("`")[1]
            for line in campaign.RECORD.read_text(encoding="utf-8").splitlines()
            if line.startswith("| `")
        ]
        self.assertEqual(
            commands,
            [
                "differential DOLMEN_SEED=3",
                "differential DOLMEN_SEED=1 ARGS=statement item",
                "fuzz DOLMEN_SEED=3",
                "fuzz DOLMEN_SEED=1 FUZZ_SECONDS=600 ARGS=statement item",
            ],
        )

    def test_a_failed_check_is_recorded_as_failed(self):
        self.assertTrue(campaign.line_of("load", "c", 30, 2).endswith("| failed with 2 |"))

    def test_checks_are_repeated_until_the_time_is_over(self):
        clock = iter(range(0, 10_000, 600))  # each look at the clock comes 10 minutes later
        with (
            unittest.mock.patch.object(campaign, "run", return_value=0) as run,
            unittest.mock.patch.object(campaign.time, "monotonic", lambda: next(clock)),
        ):
            self.assertTrue(campaign.campaign(("soak",), 1))
        self.assertEqual(run.call_count, 2)
        row = campaign.read_rows()["soak"]
        self.assertTrue(row.endswith("| 20 | passed 2 times |"), row)

    def test_nothing_is_repeated_after_a_failure(self):
        with unittest.mock.patch.object(campaign, "run", side_effect=(0, 2)) as run:
            self.assertFalse(campaign.campaign(("crash", "soak"), 24))
        self.assertEqual(run.call_count, 2)

    def test_a_row_names_the_variables_of_its_run(self):
        with unittest.mock.patch.dict(os.environ, {"FUZZ_SECONDS": "60"}):
            self.assertTrue(campaign.line_of("fuzz", "c", 30, 0).startswith("| `fuzz FUZZ_SECONDS=60` |"))

    def test_a_check_must_have_passed_in_full_in_this_version(self):
        full = {check: campaign.line_of(check, "c", 60, 0) for check in campaign.CHECKS}
        self.assertEqual(campaign.faults(full), [])
        self.assertEqual(campaign.faults(full | {"soak": campaign.line_of("soak", "c", 60, 2)}), ["soak: failed with 2"])
        old = full["soak"].replace(f"| {campaign.version()} |", "| 0.1.0 |")
        self.assertEqual(
            campaign.faults(full | {"soak": old}),
            [f"soak: last run in version 0.1.0, not {campaign.version()}"],
        )
        uncommitted = campaign.line_of("soak", "c+", 60, 0)
        self.assertEqual(len(campaign.faults(full | {"soak": uncommitted})), 1)
        del full["soak"]
        self.assertEqual(campaign.faults(full), ["soak: no row"])


class RowTest(unittest.TestCase):
    def test_a_row_ends_with_the_first_command_that_fails(self):
        with unittest.mock.patch.object(campaign.Row, "preparations", return_value=[]):
            self.assertEqual(campaign.Row("", ("true", "exit 3", "exit 4")).run(), 3)

    def test_arguments_send_the_results_to_the_build(self):
        row = campaign.Row("", ('[[ $OUT$ARGS == "build/bench--x=(a|b*)" ]]',))
        with (
            unittest.mock.patch.object(campaign.Row, "preparations", return_value=[]),
            unittest.mock.patch.dict(os.environ, {"ARGS": "--x=(a|b*)"}),
        ):
            self.assertEqual(row.run(), 0)


if __name__ == "__main__":
    unittest.main()
