#!/usr/bin/env python3
"""Compares Database::Connect with AWS's SDKs: requests a second, and CPU time of the client.

  bench.py build/release/api/command/dolmen build/release/bench/dolmen_remote_client build/remote [--out bench/results]

The clients send the same requests, those of bench/http, to one `dolmen serve --memory`. bench.sh prepares
them. Each of them is a program with the arguments

  ENDPOINT REQUESTS THREADS SECONDS_OF_WARM_UP SECONDS

which repeats the lines "OPERATION<tab>JSON" of the file REQUESTS in each thread, and prints the number of
requests that have ended in the SECONDS after the warm-up, the number of items in their responses, the
seconds that have passed, and the seconds of CPU time of its process.
"""

import argparse
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "http"))

# pylint: disable=wrong-import-position
import servers  # noqa: E402
from chat_data import READS, Chat, filled, write_requests  # noqa: E402
from client import Client  # noqa: E402

REQUESTS = 1000  # different requests of a workload
# The items in the response to a request of each workload.
WORKLOADS = {"get_item": 1, "put_item": 0, "query_newest_50": 50}


def requests_of(chat, workload):
    """Yields (operation, request)."""
    for i in range(REQUESTS):
        if workload == "put_item":
            operation, request = chat.put_item(i)
            yield operation, filled(request, i)
        else:
            yield READS[workload].request(chat, i)


def clients(arguments):
    """Returns the commands of the clients by their names."""
    tools = arguments.tools.resolve()
    return {
        "Connect": [arguments.client.resolve()],
        "Go": [tools / "go_client"],
        "Java": ["java", "-cp", f"{tools / 'classes'}:{tools / 'jars'}/*", "Client"],
        "boto3": [tools / "python" / "bin" / "python", "-B", HERE / "client.py"],
    }


def measure(command, url, requests, items_each, threads, arguments):
    """Returns the requests a second, and the microseconds of CPU time of one request."""
    words = [*command, url, requests, threads, arguments.warm_up, arguments.seconds]
    output = subprocess.run(
        [str(word) for word in words], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.split()
    sent, items = int(output[0]), int(output[1])
    assert sent > 0 and items == sent * items_each, f"{words}: {output}"
    return sent / float(output[2]), float(output[3]) / sent * 1e6


def measure_all(arguments, url, files):
    """Returns {(client, workload, threads): [(requests a second, microseconds) of each round]}."""
    commands = clients(arguments)
    found = {}
    for number in range(arguments.rounds):
        places = [(c, w, t) for c in commands for w in WORKLOADS for t in arguments.threads]
        random.Random(number).shuffle(places)
        for place in places:
            name, workload, threads = place
            result = measure(
                commands[name], url, files[workload], WORKLOADS[workload], threads, arguments
            )
            found.setdefault(place, []).append(result)
            print(f"round {number + 1}: {name} {workload} {threads}: {result}", flush=True)
    return found


def table(found, arguments):
    """Returns a Markdown table of the medians."""
    lines = []
    for workload in WORKLOADS:
        heads = [f"{threads} threads: requests/s, us" for threads in arguments.threads]
        lines += ["", f"| {workload} | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
        for name in clients(arguments):
            cells = []
            for threads in arguments.threads:
                rates, times = zip(*found[name, workload, threads])
                cells.append(f"{statistics.median(rates):,.0f}, {statistics.median(times):.0f}")
            lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", help="dolmen, built for release")
    parser.add_argument("client", type=pathlib.Path, help="the program of client.cc")
    parser.add_argument("tools", type=pathlib.Path, help="the directory of bench.sh")
    parser.add_argument("--out", type=pathlib.Path, help="directory for remote.md")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 16, 64])
    parser.add_argument("--warm-up", type=float, default=4, help="seconds")
    parser.add_argument("--seconds", type=float, default=2, help="of one measurement")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    chat = Chat(conversations=20, messages_each=200)
    with tempfile.TemporaryDirectory() as directory:
        files = {workload: pathlib.Path(directory) / workload for workload in WORKLOADS}
        for workload, path in files.items():
            write_requests(requests_of(chat, workload), path)
        with servers.dolmen_in_memory(arguments.program).start(0) as server:
            server.wait_until_it_answers()
            loader = Client(server.port)
            loader.ask(*chat.create_table())
            for operation, batch in chat.load():
                loader.ask(operation, batch)
            loader.close()
            found = measure_all(arguments, f"http://127.0.0.1:{server.port}", files)
    text = "\n".join(
        [
            "# Database::Connect and AWS's SDKs",
            "",
            f"Requests a second, and microseconds of CPU time of the client for one request. "
            f"{chat.messages} messages in `dolmen serve --memory`; medians of {arguments.rounds} "
            "rounds.",
            table(found, arguments),
        ]
    )
    print(text)
    if arguments.out:
        arguments.out.mkdir(parents=True, exist_ok=True)
        (arguments.out / "remote.md").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
