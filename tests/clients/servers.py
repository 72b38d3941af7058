"""The servers that the clients talk to: one fresh process for each client."""

import os
import re
import select
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "differential"))
import peers  # pylint: disable=wrong-import-position

START_SECONDS = 20
STOP_SECONDS = 20


class ServerError(Exception):
    """A server that does not start or does not end as it should."""


class Dolmen:
    """`dolmen serve --memory` on a port that was free."""

    name = "dolmen"

    def __init__(self, command, log):
        self.log = open(log, "wb")
        self.process = subprocess.Popen(
            [command, "serve", "--memory", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=self.log,
        )
        self.endpoint = self._read_url()

    def _read_url(self):
        """From the line that says that connections are accepted."""
        ready, _, _ = select.select([self.process.stdout], [], [], START_SECONDS)
        line = self.process.stdout.readline().decode() if ready else ""
        found = re.search(r"http://\S+", line)
        if found is None:
            self.process.kill()
            self.process.wait()
            raise ServerError(f"no URL from the server, but {line!r}")
        return found.group().rstrip("/.,")

    def stop(self):
        """SIGTERM; the server must have lived until now, and end with 0."""
        died = self.process.poll()
        self.process.terminate()
        try:
            code = self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            code = "nothing, and was killed"
        self.process.stdout.close()
        self.log.close()
        if died is not None:
            raise ServerError(f"the server had ended with {died}")
        if code != 0:
            raise ServerError(f"SIGTERM: the server ended with {code}")


class DynamodbLocal:
    """DynamoDB Local, to hold the tests against."""

    name = "dynamodb-local"

    def __init__(self, directory, job):
        self.server = peers.start_dynamodb_local(directory, job)
        self.server.wait_until_ready()
        self.endpoint = f"http://127.0.0.1:{self.server.port}"

    def stop(self):
        self.server.stop()
