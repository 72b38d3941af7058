"""Runs wrk with requests.lua."""

import dataclasses
import json
import pathlib
import subprocess

from client import HEADERS

SCRIPT = pathlib.Path(__file__).with_name("requests.lua")
# Each run gets this many request numbers. A later run gets higher numbers than an earlier run, so
# its messages are newer.
NUMBERS_OF_A_RUN = 10_000_000


@dataclasses.dataclass(frozen=True)
class Run:
    """The measurements of a run of wrk."""

    requests: int
    seconds: float
    bytes: int
    p50_us: int
    p99_us: int
    bad_status: int
    socket_errors: int
    timeouts: int

    @property
    def rate(self):
        return self.requests / self.seconds

    @property
    def errors(self):
        return self.bad_status + self.socket_errors + self.timeouts


@dataclasses.dataclass(frozen=True)
class Wrk:
    connections: int
    threads: int

    def run(self, server, requests, seconds, number):
        """Sends the requests of a file. `number` is the number of earlier runs on this server."""
        command = ["wrk", "--connections", self.connections, "--threads", self.threads]
        command += ["--duration", f"{seconds}s", "--timeout", "10s", "--script", SCRIPT]
        for name, value in HEADERS.items():
            command += ["--header", f"{name}: {value}"]
        command += [f"http://{server.host}:{server.port}/", "--", requests]
        command += [number * NUMBERS_OF_A_RUN, self.threads]
        ran = subprocess.run(
            [str(part) for part in command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        last = ran.stdout.rstrip().rpartition("\n")[2]
        if ran.returncode != 0 or not last.startswith("{"):
            raise RuntimeError(f"wrk failed: {ran.stdout}")
        return Run(**json.loads(last))
