#!/usr/bin/env python3
"""Installs the clients, runs each against its own server and prints the results (README.md)."""

import argparse
import dataclasses
import os
import re
import signal
import subprocess
import sys
import time

import locked
import recording
import servers

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENT_SECONDS = 300  # only a client that hangs takes longer, also on a slow machine
INSTALL_SECONDS = 600
# The clients whose tests also run in process.
IN_PROCESS = (
    "aws_sdk_js",
    "dynamodb_toolbox",
    "dynamoose",
    "electrodb",
    "go",
    "java",
    "onetable",
    "pynamodb",
    "python",
    "rust",
)

# The options of `dolmen serve` for the suites of models/examples, which README.md there explains.
EXAMPLE = "example_"
EXAMPLE_SEED = os.path.join(HERE, "../../models/examples/orders.json")
EXAMPLE_OPTIONS = ["--fixture", EXAMPLE_SEED, "--clock", "manual", "--expiry-lag", "0"]
# The clients whose tests move the clock, because the shards of a stream end after some time.
MANUAL_CLOCK = ("kinesis_adapter", "python")


@dataclasses.dataclass
class Outcome:
    """The result of one client."""

    client: str
    install: locked.Install = None
    passed: int = 0
    failed: int = 0
    seconds: float = 0
    faults: list = dataclasses.field(default_factory=list)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="the directory of clients, logs, results")
    peer = parser.add_mutually_exclusive_group(required=True)
    peer.add_argument("--dolmen", help="the dolmen command to test")
    peer.add_argument("--in-process", help="the directory of the packages, in place of a server")
    peer.add_argument(
        "--peer",
        metavar="NAME=URL",
        type=servers.peers.named_url,
        help="a running server to test in place of dolmen; each client expects it without tables",
    )
    parser.add_argument("--rewrite-lock", action="store_true", help="write lock.json again")
    parser.add_argument("--record", action="store_true", help="write the recorded items again")
    parser.add_argument("clients", nargs="*", help="the clients to run (default: all)")
    return parser.parse_args()


def known_clients():
    return sorted(
        name
        for name in os.listdir(HERE)
        if all(os.path.isfile(os.path.join(HERE, name, s)) for s in ("install.sh", "run.sh"))
    )


def environment(server, client):
    """Returns the environment variables for run.sh.

    They name the tested server. They hide the user's own AWS credentials from the client.
    """
    return os.environ | {
        "DOLMEN_ENDPOINT": server.endpoint,
        "DOLMEN_IN_PROCESS": server.packages,
        "DOLMEN_UPDATED": recording.updated_file(client),
        "DOLMEN_BUCKETS": server.buckets,
        "AWS_ACCESS_KEY_ID": "dolmen",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
    }


def run_script(script, directory, log, seconds, env=None):
    """Runs a script and then kills all its processes. Returns an error message, or None."""
    command = [os.path.join(HERE, os.path.basename(directory), script), directory]
    with open(log, "wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=env,
            start_new_session=True,
        )
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            return f"{script} took more than {seconds} seconds: {log}"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
    return f"{script} ended with {code}: {log}" if code != 0 else None


def read_counts(log):
    """Returns (passed, failed) from the last line of the log, or None."""
    with open(log, encoding="utf-8", errors="replace") as file:
        lines = [line.strip() for line in file if line.strip()]
    found = re.fullmatch(r"(\d+) passed, (\d+) failed", lines[-1] if lines else "")
    return found and (int(found.group(1)), int(found.group(2)))


def run_tests(outcome, directory, server):
    log = os.path.join(directory, "run.log")
    begin = time.monotonic()
    fault = run_script(
        "run.sh", directory, log, CLIENT_SECONDS, environment(server, outcome.client)
    )
    outcome.seconds = time.monotonic() - begin
    if fault:
        outcome.faults.append(fault)
    counts = read_counts(log)
    if counts is None:
        outcome.faults.append(f"no counts in the last line of {log}")
        return
    outcome.passed, outcome.failed = counts
    if outcome.failed or not outcome.passed:
        outcome.faults.append(f"{outcome.passed} passed, {outcome.failed} failed: {log}")


def server_options(client):
    if client.startswith(EXAMPLE):
        return EXAMPLE_OPTIONS
    return ["--clock", "manual"] if client in MANUAL_CLOCK else []


def start_server(arguments, client, directory):
    if arguments.dolmen:
        log = os.path.join(directory, "server.log")
        buckets = os.path.join(directory, "buckets")
        return servers.Dolmen(arguments.dolmen, log, buckets, server_options(client))
    if arguments.in_process:
        return servers.InProcess(arguments.in_process)
    return servers.Running(arguments.peer[1])


def run_client(client, arguments):
    outcome = Outcome(client)
    directory = os.path.join(os.path.abspath(arguments.build), client)
    os.makedirs(directory, exist_ok=True)
    packages = os.path.abspath(arguments.in_process) if arguments.in_process else ""
    fault = run_script(
        "install.sh",
        directory,
        os.path.join(directory, "install.log"),
        INSTALL_SECONDS,
        os.environ | {"DOLMEN_IN_PROCESS": packages},
    )
    if fault:
        outcome.faults.append(fault)
        return outcome
    outcome.install = locked.read_install(directory)
    try:
        server = start_server(arguments, client, directory)
        try:
            run_tests(outcome, directory, server)
            compares = recording.is_recorded(client) and not arguments.in_process
            if compares and (arguments.record or not outcome.faults):
                outcome.faults += recording.check(client, server.endpoint, arguments.record)
        finally:
            server.stop()
    except servers.ServerError as error:
        outcome.faults.append(str(error))
    return outcome


def table(outcomes, server):
    """Returns the table of results as text, followed by the error messages."""
    rows = [("client", "version", "install", "passed", "failed", "seconds")]
    for outcome in outcomes:
        install = outcome.install
        rows.append(
            (
                outcome.client,
                install.title() if install else "-",
                f"{install.size / 2**20:.1f} MiB" if install and not install.of_system else "-",
                str(outcome.passed),
                str(outcome.failed),
                f"{outcome.seconds:.1f}",
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [f"Clients against {server}", ""]
    for row in rows:
        cells = [
            cell.ljust(width) if i < 2 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths))
        ]
        lines.append("  ".join(cells).rstrip())
    for outcome in outcomes:
        lines += [f"{outcome.client}: {fault}" for fault in outcome.faults]
    return "\n".join(lines) + "\n"


def title(arguments):
    if arguments.in_process:
        return "dolmen in process"
    return "dolmen" if arguments.dolmen else arguments.peer[0]


def main():
    arguments = parse_arguments()
    clients = list(IN_PROCESS) if arguments.in_process else known_clients()
    unknown = set(arguments.clients) - set(clients)
    if unknown:
        sys.exit(f"Unknown client: {' '.join(sorted(unknown))}; use one of {' '.join(clients)}")
    outcomes = []
    # Only Dolmen has the control requests that the examples and the adapter's tests send.
    controls = [c for c in clients if c.startswith(EXAMPLE) or c == "kinesis_adapter"]
    usual = [c for c in clients if arguments.dolmen or c not in controls]
    for client in arguments.clients or usual:
        print(f"{client} ...", flush=True)
        outcomes.append(run_client(client, arguments))
    lock = os.path.join(HERE, "lock.json")
    installs = {o.client: o.install for o in outcomes if o.install}
    if arguments.rewrite_lock:
        locked.rewrite(lock, installs, clients)
    for outcome in outcomes:
        if outcome.install:
            outcome.faults += locked.differences(lock, outcome.client, outcome.install)
    text = table(outcomes, title(arguments))
    with open(os.path.join(arguments.build, "summary.txt"), "w", encoding="utf-8") as file:
        file.write(text)
    print("\n" + text, end="")
    return 1 if any(outcome.faults for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
