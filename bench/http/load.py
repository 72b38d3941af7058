#!/usr/bin/env python3
"""Sends all operations from 64 connections for ten minutes and checks errors and memory."""

import argparse
import contextlib
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "report"))

# pylint: disable=wrong-import-position
import chat_data  # noqa: E402
import charts  # noqa: E402
import mixed  # noqa: E402
import results  # noqa: E402
import servers  # noqa: E402
import wrk  # noqa: E402
from client import Client  # noqa: E402

SLICE_SECONDS = 10  # duration of a run of wrk, which opens new connections
WARM_UP = 0.4  # part of the duration in which caches fill
RISE_MAX = 0.10  # allowed rise of memory after the warm-up, as a part: see README.md


def fill(client, chat):
    for operation, request in [chat.create_table(), *chat.load()]:
        client.ask(operation, request)


def check_kinds(client, requests):
    """Sends one request of each kind and checks that the answer leaves nothing unprocessed."""
    for number, (operation, request) in enumerate(requests[: mixed.TURN]):
        answer = client.ask(operation, chat_data.filled(request, number))
        if answer.get("UnprocessedItems") or answer.get("UnprocessedKeys"):
            raise RuntimeError(f"{operation}: {answer}")


def sample(server, run, seconds):
    resident = server.resident_bytes()
    print(
        f"{seconds:5.0f} s {run.rate:8.0f} /s  p99 {run.p99_us / 1000:7.2f} ms  "
        f"resident {resident / servers.MEGABYTE:6.1f} MB  errors {run.errors}",
        flush=True,
    )
    return {
        "seconds": seconds,
        "requests_per_second": round(run.rate),
        "p50_us": run.p50_us,
        "p99_us": run.p99_us,
        "resident_bytes": resident,
        "errors": run.errors,
    }


def measure(arguments):
    """Runs the load and returns the document to record."""
    chat = chat_data.Chat()
    requests = mixed.Mix(chat).requests()
    tool = wrk.Wrk(arguments.connections, threads=2)
    samples = []
    with contextlib.ExitStack() as stack:
        temporary = tempfile.TemporaryDirectory(dir=arguments.dir)
        directory = pathlib.Path(stack.enter_context(temporary))
        chat_data.write_requests(requests, directory / "requests")
        peer = servers.dolmen_on_disk(arguments.program, directory / "data", arguments.durability)
        server = stack.enter_context(peer.start(arguments.port))
        server.wait_until_it_answers()
        client = Client(arguments.port)
        fill(client, chat)
        check_kinds(client, requests)
        client.close()
        slices = max(1, round(arguments.minutes * 60 / SLICE_SECONDS))
        for number in range(1, slices + 1):
            run = tool.run(server, directory / "requests", SLICE_SECONDS, number)
            samples.append(sample(server, run, number * SLICE_SECONDS))
        exit_code = server.stop()
        verify = [arguments.program, "verify", "--path", directory / "data"]
        verified = subprocess.run(verify, check=False).returncode == 0
    return {
        "context": {"connections": tool.connections, "durability": arguments.durability},
        "samples": samples,
        "exit_code": exit_code,
        "verified": verified,
    }


def fitted(samples):
    """Fits a line to the samples of resident memory. Returns the line's first and last value."""
    if len(samples) < 2:
        return samples[0]["resident_bytes"], samples[0]["resident_bytes"]
    times = [sample["seconds"] for sample in samples]
    sizes = [sample["resident_bytes"] for sample in samples]
    slope, intercept = statistics.linear_regression(times, sizes)
    return intercept + slope * times[0], intercept + slope * times[-1]


def warm(samples):
    return samples[int(WARM_UP * len(samples)) :]


def failures(document):
    """Returns a line for each check that failed."""
    found = []
    errors = sum(sample["errors"] for sample in document["samples"])
    if errors:
        found.append(f"{errors} requests failed")
    first, last = fitted(warm(document["samples"]))
    if last > (1 + RISE_MAX) * first:
        megabytes = f"{first / servers.MEGABYTE:.1f} to {last / servers.MEGABYTE:.1f} MB"
        found.append(f"resident memory rose from {megabytes}")
    if document["exit_code"] != 0:
        found.append(f"the server exited with code {document['exit_code']}")
    if not document["verified"]:
        found.append("dolmen verify found damage in the database")
    return found


def script(document):
    """Returns the gnuplot script. It draws throughput in the upper panel, memory in the lower."""
    samples = document["samples"]
    context = document["context"]
    panels = (
        ("thousands of requests a second", "requests_per_second", 1000, charts.COLOURS["rocksdb"]),
        ("resident memory, MB", "resident_bytes", servers.MEGABYTE, charts.COLOURS["dolmen"]),
    )
    lines = [
        'set terminal svg size 800,520 background "white" noenhanced '
        'font "Helvetica, Arial, sans-serif,14"',
        "set multiplot layout 2,1 margins 0.07,0.97,0.06,0.82 spacing 0.1,0.18",
        'set label 1 "All operations over HTTP" at screen 0.02, screen 0.96 font ",18"',
        f'set label 2 "{context["connections"]} connections, on disk, {context["durability"]}; '
        'over minutes" at screen 0.02, screen 0.91 textcolor rgb "#555555"',
        "set border 3",
        "set tics nomirror",
        "unset key",
        f"set xrange [0:{samples[-1]['seconds'] / 60:.3f}]",
    ]
    for title, field, unit, colour in panels:
        points = [f"{s['seconds'] / 60:.3f} {s[field] / unit:.3f}" for s in samples]
        most = max(s[field] / unit for s in samples)
        lines += [f"${field} << END", *points, "END"]
        lines += [f'set title "{title}" font ",14"', f"set yrange [0:{1.15 * most:.3f}]"]
        if field == "resident_bytes":
            lines.append(_fit(samples, unit))
        lines += [
            f'plot ${field} using 1:2 with lines linewidth 2 linecolor rgb "{colour}"',
            "unset label 1",
            "unset label 2",
        ]
    return "\n".join([*lines, "unset multiplot", ""])


def _fit(samples, unit):
    used = warm(samples)
    first, last = fitted(used)
    return (
        f"set arrow from {used[0]['seconds'] / 60:.3f},{first / unit:.3f} "
        f"to {used[-1]['seconds'] / 60:.3f},{last / unit:.3f} nohead dashtype 2"
    )


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="dolmen, built for release, or a recorded run (JSON)")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--durability", choices=("sync", "buffered"), default="sync")
    parser.add_argument("--dir", help="directory for the data; default: the temporary directory")
    parser.add_argument("--port", type=int, default=18410)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="directory for the results")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    document = results.measured_or_recorded(arguments, measure, "load.json")
    if charts.can_draw():
        charts.plot(script(document), arguments.out / "load.svg")
    else:
        print("the chart was not drawn: install gnuplot", file=sys.stderr)
    found = failures(document)
    print("\n".join(found) or "no request failed, and memory stayed within its limit")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
