"""A row of a table of commands: a check of tests/campaign.py, or a bench of bench/run.py."""

import dataclasses
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclasses.dataclass(frozen=True)
class Row:
    """Commands that run one after another in the root of the repository, each by bash.

    A command finds the programs of the release in $RELEASE, writes its results to $OUT, and can take
    further arguments from the variable ARGS. $OUT is bench/results, or build/bench if ARGS changes the
    command.
    """

    about: str  # one line for people
    commands: tuple  # of strings
    targets: tuple = ()  # of CMake, which the commands need; of the preset release
    packages: tuple = ()  # the lists .ci/packages-*.txt beyond packages.txt
    languages: tuple = ()  # whose packages in build/packages the commands need
    share: dict = dataclasses.field(default_factory=dict)  # the variables of a run of about a minute
    asked: bool = False  # runs only if its name is given

    def preparations(self):
        """Returns the commands that install and build what the row's commands need."""
        lists = [".ci/packages.txt", *(f".ci/packages-{name}.txt" for name in self.packages)]
        commands = [f".ci/packages.sh {' '.join(lists)}"]
        if self.targets:
            commands += [
                "cmake --preset release",
                f"cmake --build --preset release --target {' '.join(self.targets)}",
            ]
        if self.languages:
            commands.append(f"api/bindings/packages.sh build {' '.join(self.languages)}")
        return commands

    def run(self, environment=None, output=None):
        """Runs all commands, and ends with the first that fails. Returns its exit status, or 0."""
        variables = os.environ | (environment or {})
        variables["RELEASE"] = "build/release"
        variables["OUT"] = "build/bench" if variables.setdefault("ARGS", "") else "bench/results"
        for command in self.preparations() + list(self.commands):
            print(f"+ {command}", file=output, flush=True)
            code = subprocess.run(
                # -f: ARGS may contain characters that are patterns of file names.
                ("bash", "-fc", command),
                cwd=ROOT, check=False, env=variables, stdout=output, stderr=output and subprocess.STDOUT,
            ).returncode
            if code != 0:
                return code
        return 0


def listing(rows):
    """Returns a line for each row of a table."""
    return "\n".join(f"  {name:20} {row.about}" for name, row in rows.items())
