"""The servers for the clients: a new process for each client."""

import os
import re
import select
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "differential"))
import peers  # pylint: disable=wrong-import-position

START_SECONDS = 20
STOP_SECONDS = 20


class ServerError(Exception):
    """The error of a server that does not start or end properly."""


class Dolmen:
    """`dolmen serve --memory` on a free port, with a database for each access key."""

    OPTIONS = ["--memory", "--database-per-access-key", "--control", "--port", "0"]
    packages = ""

    def __init__(self, command, log, buckets, options=()):
        self.buckets = buckets
        shutil.rmtree(buckets, ignore_errors=True)
        os.makedirs(os.path.join(buckets, "bucket"))
        self.log = open(log, "wb")
        self.process = subprocess.Popen(
            [command, "serve", *self.OPTIONS, "--buckets", buckets, *options],
            stdout=subprocess.PIPE,
            stderr=self.log,
        )
        self.endpoint = self._read_url()

    def _read_url(self):
        """Returns the URL in the line that the server prints when it accepts connections."""
        ready, _, _ = select.select([self.process.stdout], [], [], START_SECONDS)
        line = self.process.stdout.readline().decode() if ready else ""
        found = re.search(r"http://\S+", line)
        if found is None:
            self.process.kill()
            self.process.wait()
            raise ServerError(f"no URL from the server, but {line!r}")
        return found.group().rstrip("/.,")

    def stop(self):
        """Sends SIGTERM. The server must be running before, and must end with exit code 0."""
        died = self.process.poll()
        self.process.terminate()
        try:
            code = self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            code = "no exit code, and was killed"
        self.process.stdout.close()
        self.log.close()
        if died is not None:
            raise ServerError(f"the server ended during the tests with {died}")
        if code != 0:
            raise ServerError(f"after SIGTERM the server ended with {code}")


class InProcess:
    """No server: the tests have a database in their own process, by the package in `packages`."""

    buckets = ""
    endpoint = "http://in-process.invalid"

    def __init__(self, packages):
        self.packages = os.path.abspath(packages)

    def stop(self):
        pass


class Running:
    """A server that runs already. If a test fails with it, the test may expect a wrong result."""

    packages = ""
    buckets = ""

    def __init__(self, endpoint):
        self.endpoint = endpoint

    def stop(self):
        pass
