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
            {"fuzz": campaign.row("fuzz", "aaaaaaa", 60, 0), "soak": campaign.row("soak", "a", 600, 1)}
        )
        rows = campaign.read_rows(campaign.RECORD.read_text(encoding="utf-8"))
        self.assertEqual(set(rows), {"fuzz", "soak"})
        rows["soak"] = campaign.row("soak", "bbbbbbb+", 660, 0)
        campaign.write(rows)
        text = campaign.RECORD.read_text(encoding="utf-8")
        self.assertRegex(text, r"\| `make fuzz` \| [-0-9]+ \| aaaaaaa \| 1 \| passed \|")
        self.assertRegex(text, r"\| `make soak` \| [-0-9]+ \| bbbbbbb\+ \| 11 \| passed \|")

    def test_a_run_keeps_the_rows_of_other_variables(self):
        part = {"FUZZ_SECONDS": "600", "FUZZ_TARGETS": "statement item", "DOLMEN_SEED": "1"}
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
                "make differential DOLMEN_SEED=3",
                "make fuzz",
                "make fuzz FUZZ_SECONDS=600 FUZZ_TARGETS=statement item",
            ],
        )

    def test_a_failed_check_is_recorded_as_failed(self):
        self.assertTrue(campaign.row("load", "c", 30, 2).endswith("| failed with 2 |"))

    def test_checks_are_repeated_until_the_time_is_over(self):
        clock = iter(range(0, 10_000, 600))  # each look at the clock comes 10 minutes later
        with (
            unittest.mock.patch.object(campaign, "run", return_value=0) as run,
            unittest.mock.patch.object(campaign.time, "monotonic", lambda: next(clock)),
        ):
            self.assertTrue(campaign.campaign(("soak",), 1))
        self.assertEqual(run.call_count, 2)
        row = campaign.read_rows(campaign.RECORD.read_text(encoding="utf-8"))["soak"]
        self.assertTrue(row.endswith("| 20 | passed 2 times |"), row)

    def test_nothing_is_repeated_after_a_failure(self):
        with unittest.mock.patch.object(campaign, "run", side_effect=(0, 2)) as run:
            self.assertFalse(campaign.campaign(("crash", "soak"), 24))
        self.assertEqual(run.call_count, 2)

    def test_a_row_names_the_settings_of_its_run(self):
        with unittest.mock.patch.dict(os.environ, {"FUZZ_SECONDS": "60"}):
            row = campaign.row("fuzz", "c", 30, 0)
        self.assertTrue(row.startswith("| `make fuzz FUZZ_SECONDS=60` |"))
        self.assertEqual(campaign.read_rows(row), {"fuzz FUZZ_SECONDS=60": row})

    def test_each_check_is_a_target_of_the_makefile(self):
        makefile = (campaign.ROOT / "Makefile").read_text(encoding="utf-8")
        for check in campaign.CHECKS:
            self.assertRegex(makefile, rf"(?m)^{check}:")


if __name__ == "__main__":
    unittest.main()
