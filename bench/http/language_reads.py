"""Times GetItem and Query of the newest 50 messages in a language, by each way to a database.

All ways read the same items, in memory, one call at a time. The program of the language reads the files
that the variables DOLMEN_BENCH_* of its environment name. Each line of these files is a call:
{"Operation": ..., "Request": ..., "Items": [the items that a read must find]}.
"""

import argparse
import collections
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import servers
from chat_data import READS, Chat
from client import Client

WORKLOADS = ("get_item", "query_newest_50")
GOAL = 3  # the least number of calls in process for one call over HTTP


def calls_of(chat, name):
    """Yields (operation, request, items that a read must find)."""
    if name == "load":
        yield *chat.create_table(), None
        for operation, batch in chat.load():
            yield operation, batch, None
    elif name == "messages":
        for i in range(chat.messages):
            yield "PutItem", {}, [chat.message(i)]
    else:
        for i in range(100):
            yield *READS[name].request(chat, i), READS[name].items(chat, i)


def write_calls(chat, directory):
    """Writes the files of the calls. Returns environment variables with their paths."""
    variables = {}
    for name in ("load", "messages", *WORKLOADS):
        path = pathlib.Path(directory) / name
        lines = (
            json.dumps({"Operation": operation, "Request": request, "Items": items}) + "\n"
            for operation, request, items in calls_of(chat, name)
        )
        path.write_text("".join(lines), encoding="utf-8")
        variables[f"DOLMEN_BENCH_{name}"] = str(path)
    return variables


def output_of(command, directory, variables):
    """Runs a program. Returns its output. Prints the output and ends if the program fails."""
    done = subprocess.run(
        command, cwd=directory, env=variables, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(done.stdout)
    return done.stdout


def times_of(measurements):
    """Returns {workload: {way: [microseconds of each round]}}.

    `measurements` has (way, workload, nanoseconds of a call) for each round.
    """
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    for way, workload, nanoseconds in measurements:
        times[workload][way].append(float(nanoseconds) / 1000)
    return times


def report(times):
    """Returns a Markdown table: microseconds of a call, and its ratio to SDKInProcess."""
    medians = {
        workload: {way: statistics.median(rounds) for way, rounds in times[workload].items()}
        for workload in WORKLOADS
    }
    lines = ["| us a call (ratio to SDKInProcess) | " + " | ".join(WORKLOADS) + " |", "|---|---|---|"]
    for way in medians[WORKLOADS[0]]:
        cells = [
            f"{found[way]:.1f} ({found[way] / found['SDKInProcess']:.2f} x)"
            for found in medians.values()
        ]
        lines.append(f"| {way} | {' | '.join(cells)} |")
    lines.append("")
    for workload, found in medians.items():
        ratio = found["SDKOverHTTP"] / found["SDKInProcess"]
        verdict = "holds" if ratio >= GOAL else "fails"
        lines.append(f"- {workload}: over HTTP >= {GOAL} x in process: {ratio:.1f} x, {verdict}")
    return "\n".join(lines)


def parse_arguments(description, page):
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", help="dolmen, built for release")
    parser.add_argument("--out", type=pathlib.Path, help=f"directory for {page}")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3, help="of one way in one round")
    parser.add_argument("--conversations", type=int, default=20)
    parser.add_argument("--messages", type=int, default=200, help="messages per conversation")
    return parser.parse_args()


def main(language, description, run):
    """Writes the report of a language.

    `run` takes the arguments and the variables of the environment. It returns the versions of the
    language and its packages, and the measurements for times_of.
    """
    page = f"{language.lower()}.md"
    arguments = parse_arguments(description, page)
    chat = Chat(arguments.conversations, arguments.messages)
    with tempfile.TemporaryDirectory() as directory:
        variables = write_calls(chat, directory)
        with servers.dolmen_in_memory(arguments.program).start(0) as server:
            server.wait_until_it_answers()
            variables["DOLMEN_ENDPOINT"] = f"http://127.0.0.1:{server.port}"
            client = Client(server.port)
            for operation, request, _ in calls_of(chat, "load"):
                client.ask(operation, request)
            client.close()
            versions, measurements = run(arguments, variables)
    rounds = f"medians of {arguments.rounds} rounds"
    text = "\n".join(
        [
            f"# Reads in {language}",
            "",
            f"{versions}, {chat.messages} messages; {rounds}.",
            "",
            report(times_of(measurements)),
        ]
    )
    print(text)
    if arguments.out:
        arguments.out.mkdir(parents=True, exist_ok=True)
        (arguments.out / page).write_text(text + "\n", encoding="utf-8")
