"""Runs the programs of README.md."""

import pathlib
import re
import subprocess
import sys

README = pathlib.Path(__file__).parents[1] / "README.md"


def blocks():
    """Returns the programs by the names of their files, which are in their first lines."""
    return dict(re.findall(r"```python\n# (\S+\.py)\n(.*?)```", README.read_text(), re.S))


def test_the_first_program_prints_what_the_readme_says(tmp_path):
    (output,) = re.findall(r"```text\n(.*?)```", README.read_text(), re.S)
    program = tmp_path / "first.py"
    program.write_text(blocks()["first.py"])
    done = subprocess.run(
        [sys.executable, "-B", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.stdout) == ("", output)


def test_the_example_of_a_test_passes(pytester):
    files = blocks()
    names = ("shop", "conftest", "test_shop")
    pytester.makepyfile(**{name: files[f"{name}.py"] for name in names})
    pytester.runpytest_subprocess().assert_outcomes(
        passed=files["test_shop.py"].count("def test_")
    )


def test_the_other_programs_run(tmp_path):
    for name, program in blocks().items():
        if name in ("first.py", "shop.py", "conftest.py", "test_shop.py"):
            continue
        subprocess.run([sys.executable, "-B", "-c", program], cwd=tmp_path, check=True)
