#!/usr/bin/env python3
"""Moves a table by `dolmen copy --follow`, to a server or to a directory, under four writers.

The writers put, update and delete items, and send batches and transactions. The copy begins among
their writes. It gets SIGKILL --kills times and is started again. Then the writers stop, and the
copy gets SIGINT: it must say that the switch is safe. Both tables must then hold every write.
"""

import argparse
import contextlib
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench" / "http"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "killed_server"))

# pylint: disable=wrong-import-position
import kill  # noqa: E402
import servers  # noqa: E402
from client import Client  # noqa: E402

WRITERS = 4


class Writing:
    """The writers and their threads."""

    def __init__(self, port, seed):
        self.writers = [kill.Writer(number, seed) for number in range(WRITERS)]
        self.port = port
        self.done = threading.Semaphore(0)
        self.stopped = threading.Event()
        self.failures = []
        self.threads = [
            threading.Thread(target=self._write, args=(writer,)) for writer in self.writers
        ]
        for thread in self.threads:
            thread.start()

    def _write(self, writer):
        client = Client(self.port)
        try:
            while not self.stopped.is_set():
                write = writer.next_write()
                writer.written.begin(write)
                client.ask(write.operation, write.request)
                writer.written.acknowledged()
                self.done.release()
        except Exception as failure:  # pylint: disable=broad-except
            self.failures.append(failure)
        finally:
            client.close()

    def wait_for(self, writes):
        """Waits until the writers have done so many further writes."""
        for _ in range(writes):
            if not self.done.acquire(timeout=60):  # pylint: disable=consider-using-with
                sys.exit(f"no write for a minute: {self.failures}")

    def stop(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join()
        if self.failures:
            raise self.failures[0]


def enable_stream(client):
    view = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    client.ask("UpdateTable", {"TableName": kill.TABLE, "StreamSpecification": view})


def faults(client, writers):
    """Returns a line for each item that differs from what the writers have written."""
    found = []
    for writer in writers:
        items = {}
        for partition in writer.partitions:
            items |= kill.read(client, partition)
        found += [str(fault) for fault in writer.written.faults(items)]
    return found


class Follower:
    """A run of the command that follows."""

    def __init__(self, program, source, target, state):
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            (program, "copy", source, target, "--table", kill.TABLE, "--follow", "--verify"),
            env=os.environ | {"XDG_STATE_HOME": state},
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_until_it_follows(self):
        for line in self.process.stderr:
            print(line, end="", flush=True)
            if line.startswith("Following"):
                return
        sys.exit(f"the copy ended with {self.process.wait()}")

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def end(self):
        self.process.send_signal(signal.SIGINT)
        told = self.process.communicate()[1]
        print(told, end="", flush=True)
        if self.process.returncode != 0 or "the switch is safe" not in told:
            sys.exit(f"the copy ended with {self.process.returncode}")


def follow(arguments, places, writing, state):
    """Runs the copy, killing it, until the writers have stopped and all changes are copied.

    Only the first run must reach the end of the stream while the writers write. A later run begins
    with many changes, and the writers may be faster than it.
    """
    for round_number in range(arguments.kills + 1):
        follower = Follower(arguments.program, *places, state)
        if round_number == 0:
            follower.wait_until_it_follows()
        writing.wait_for(arguments.writes)
        if round_number < arguments.kills:
            follower.kill()
            print(f"kill {round_number + 1}", flush=True)
    writing.stop()
    if arguments.kills > 0:
        follower.wait_until_it_follows()
    follower.end()


def run(arguments, directory):
    source, target = (
        servers.dolmen_on_disk(arguments.program, directory / name, "buffered")
        for name in ("from", "to")
    )
    with contextlib.ExitStack() as stack:

        def start(peer):
            server = stack.enter_context(peer.start(0))
            server.wait_until_it_answers()
            return server

        served = [start(source)]
        client = Client(served[0].port)
        kill.create_table(client)
        enable_stream(client)
        writing = Writing(served[0].port, arguments.seed)
        writing.wait_for(arguments.writes)
        if not arguments.to_directory:
            served.append(start(target))
        places = [f"http://127.0.0.1:{server.port}" for server in served]
        if arguments.to_directory:
            places.append(str(directory / "to"))
        follow(arguments, places, writing, str(directory / "state"))
        if arguments.to_directory:
            served.append(start(target))
        for server in served:
            wrong = faults(Client(server.port), writing.writers)
            if wrong:
                sys.exit("\n".join(["lost or wrong:", *wrong[:20]]))
        items = sum(len(writer.written.items) for writer in writing.writers)
        print(f"{items} items are in both tables")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="dolmen")
    parser.add_argument("--writes", type=int, default=500, help="between two events")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--to-directory", action="store_true", help="in place of a server")
    parser.add_argument("--seed", default=os.environ.get("DOLMEN_SEED") or random.randrange(10**9))
    arguments = parser.parse_args()
    print(f"--seed={arguments.seed}", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        run(arguments, pathlib.Path(directory))


if __name__ == "__main__":
    main()
