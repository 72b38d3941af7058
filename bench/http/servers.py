"""The servers that the benches compare: their commands, sizes and use of resources."""

import contextlib
import dataclasses
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

from client import Client

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests" / "differential"))
from peers import named_url  # noqa: E402, F401  pylint: disable=wrong-import-position,unused-import

MEGABYTE = 1 << 20


@dataclasses.dataclass(frozen=True)
class Peer:
    """A server that can be started."""

    name: str
    command: tuple  # start() replaces {port} by the port
    files: tuple  # the files that the server needs besides the system's libraries

    def start(self, port):
        return Server([part.format(port=port) for part in self.command], port)

    def version(self):
        told = subprocess.run(
            [self.command[0], "--version"], stdout=subprocess.PIPE, text=True, check=True
        )
        return told.stdout.split()[-1]

    def installed_bytes(self):
        return sum(_stripped_bytes(path) for path in self.files)


@dataclasses.dataclass(frozen=True)
class Endpoint:
    """A server that runs already, at NAME=URL of an option. Its use of resources is unknown."""

    name: str
    url: str

    def start(self, _port):
        return Running(self.url)

    def version(self):
        return self.url


def dolmen_in_memory(program, name="dolmen"):
    command = (str(program), "serve", "--memory", "--port", "{port}")
    return Peer(name, command, (pathlib.Path(program),))


def dolmen_on_disk(program, directory, durability):
    command = (str(program), "serve", "--path", str(directory), "--durability", durability)
    return Peer("dolmen", (*command, "--port", "{port}"), (pathlib.Path(program),))


def dynoxide(directory):
    """Returns the server that tests/differential/install_peers.sh installed, with data in memory."""
    binary = pathlib.Path(directory) / "bin" / "dynoxide"
    return Peer("dynoxide", (str(binary), "serve", "--port", "{port}"), (binary,))


def _stripped_bytes(path):
    with tempfile.TemporaryDirectory() as directory:
        copy = pathlib.Path(directory) / path.name
        shutil.copy(path, copy)
        subprocess.run(["strip", copy], check=True)
        return copy.stat().st_size


class Running:
    """A running server that this program neither starts nor stops nor pauses."""

    def __init__(self, url):
        address = urllib.parse.urlsplit(url)
        self.host, self.port = address.hostname, address.port or 80

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def wait_until_it_answers(self):
        client = Client(self.port, host=self.host)
        client.ask("ListTables", {})
        client.close()

    def paused(self):
        return contextlib.nullcontext()


class Server:
    """A running server. The end of its `with` block stops the server."""

    host = "127.0.0.1"

    def __init__(self, command, port):
        self.port = port  # 0: the server chooses a port, and wait_until_it_answers sets it
        self.log = tempfile.TemporaryFile()
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def wait_until_it_answers(self, seconds=60):
        """Returns the seconds from the start to the first answer to ListTables."""
        while True:
            try:
                self.port = self.port or self._port_chosen()
                client = Client(self.port)
                client.ask("ListTables", {})
                answered = time.monotonic() - self.started
                client.close()
                return answered
            except (ConnectionError, http.client.HTTPException) as failure:
                if self.process.poll() is not None:
                    raise RuntimeError(f"the server exited: {self.output()}") from failure
                if time.monotonic() > self.started + seconds:
                    raise RuntimeError(f"the server does not answer: {self.output()}") from failure
            time.sleep(0.0002)

    @contextlib.contextmanager
    def paused(self):
        """Lets no thread of the server run until the end of the `with` block."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def output(self):
        """Returns the server's output so far."""
        return os.pread(self.log.fileno(), MEGABYTE, 0).decode(errors="replace")

    def _port_chosen(self):
        """Returns the port that Dolmen prints when it listens."""
        told = re.search(r"http://[^:]+:(\d+)", self.output())
        if told is None:
            raise ConnectionRefusedError
        return int(told[1])

    def cpu_seconds(self):
        """Returns the CPU seconds of all live threads since exec, in user mode and kernel mode."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / 1e9

    def resident_bytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024

    def kill(self):
        """Kills the server with SIGKILL."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Stops the server with SIGTERM and returns its exit code."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
