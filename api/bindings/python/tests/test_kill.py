"""Runs kill.py for a few rounds."""

import pathlib
import subprocess
import sys

import pytest


@pytest.mark.parametrize("durability", ["sync", "buffered"])
def test_a_killed_program_loses_no_acknowledged_write(durability):
    script = pathlib.Path(__file__).with_name("kill.py")
    command = [sys.executable, "-B", script, "--rounds=2", f"--durability={durability}"]
    subprocess.run(command, check=True, timeout=300)
