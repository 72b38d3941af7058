#!/usr/bin/env python3
"""Sends the same random requests to Dolmen and to other implementations, and compares the answers."""

import argparse
import collections
import concurrent.futures
import decimal
import os
import sys
import threading
import time

import compare
import generate_cases
import generate_partiql
import generate_wire
import known
import known_differences
import peers

BATCH = 250
WITH_PARTIQL = ("dynoxide", "ministack")  # moto, the third peer with PartiQL, takes hours


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--build", required=True, help="the directory of install_peers.sh, and of logs"
    )
    parser.add_argument("--dolmen", required=True, help="the dolmen command, whose server answers")
    parser.add_argument("--only", help="the installed peers to compare, such as dynalite,moto")
    parser.add_argument(
        "--peer",
        metavar="NAME=URL",
        action="append",
        default=[],
        type=peers.named_url,
        help="compare with a running server that has no tables, in place of the installed peers",
    )
    parser.add_argument("--partiql", action="store_true", help="send PartiQL statements")
    parser.add_argument("--seed", default=os.environ.get("DOLMEN_SEED") or "1")
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=1, help="the number of the first case")
    parser.add_argument(
        "--jobs", type=int, default=2, help="the number of sets of implementations run in parallel"
    )
    parser.add_argument("--case", type=int, help="run only this case and print all of it")
    parser.add_argument(
        "--examples", type=int, default=2, help="the number of examples printed for each class"
    )
    arguments = parser.parse_args()
    default = WITH_PARTIQL if arguments.partiql else tuple(peers.versions())
    default = () if arguments.peer else default
    arguments.only = arguments.only.split(",") if arguments.only else default
    if unknown := set(arguments.only) - peers.versions().keys():
        parser.error(
            f"--only: unknown {', '.join(sorted(unknown))}; use {', '.join(peers.versions())}"
        )
    return arguments


def ask(peer, case):
    """Returns all canonical answers of a peer to a case."""
    answers, answer = [], {}
    for operation, request in case.requests:
        if answers and compare.is_failure(answers[-1]):
            answers.append(answers[-1])  # a peer that failed may still hold its locks
        else:
            answer = peer.ask(operation, generate_partiql.with_token(request, answer))
            if peer.name == "dolmen":
                check_form(case, answer)
            answers.append(canonical(peer, answer, request))
    return answers


def canonical(peer, answer, request):
    """Returns a canonical answer. A peer whose answer has an invalid number or value has failed."""
    try:
        return compare.canonical(answer, request)
    except (decimal.InvalidOperation, AttributeError, StopIteration, TypeError):
        if peer.name == "dolmen":
            raise
        return compare.error(
            {"__type": "PeerFailure", "message": "the answer has an invalid value"}
        )


def check_form(case, answer):
    """Checks that an answer of Dolmen has the right form. Answers of the peers are not checked."""
    if not compare.is_normal(answer):
        raise RuntimeError(f"case {case.number}: a number is not in normal form: {answer}")
    if not compare.is_in_form(answer):
        raise RuntimeError(f"case {case.number}: an error is not in DynamoDB's form: {answer}")


def ask_all(all_peers, cases):
    """Returns {peer's name: answers by case}. The peers answer in parallel."""
    found, failures = {}, []

    def work(peer):
        try:
            found[peer.name] = [ask(peer, case) for case in cases]
        except Exception as failure:  # pylint: disable=broad-except
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(peer,)) for peer in all_peers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return found


class Report:
    """The counts of answers, and the differences grouped by kind."""

    def __init__(self):
        self.cases = self.requests = self.successes = self.same = 0
        self.failures = collections.Counter()
        self.known = collections.Counter()
        self.unexplained = collections.defaultdict(list)

    def add(self, case, answers):
        """Compares the answers to the requests of a case, in order.

        Stops after a difference that can leave different items in the three databases.
        """
        self.cases += 1
        for i in range(len(case.requests)):
            three = {name: answers[name][i] for name in answers}
            self.requests += 1
            self.successes += not compare.is_error(three["dolmen"])
            others = [name for name in answers if name != "dolmen"]
            differs = [peer for peer in others if self.differs(case, i, three, peer)]
            self.same += not differs
            if any(not compare.is_error(three[name]) for name in differs and ["dolmen", *differs]):
                return

    def differs(self, case, i, three, peer):
        """Returns true if the peer answered differently from Dolmen, and counts the difference."""
        dolmen, other = three["dolmen"], three[peer]
        if compare.is_failure(other):
            self.failures[peer] += 1
            return False
        if other == dolmen:
            return False
        difference = known.Difference(peer, *case.requests[i], dolmen, other, case.requests[:i])
        entry = known_differences.explain(difference)
        if entry is not None:
            self.known[peer, entry.name] += 1
        else:
            shapes = (compare.shape(dolmen), peer, compare.shape_beside(other, dolmen))
            self.unexplained[shapes].append((case, i, three))
        return True

    def merge(self, other):
        self.cases += other.cases
        self.requests += other.requests
        self.successes += other.successes
        self.same += other.same
        self.failures += other.failures
        self.known += other.known
        for shapes, found in other.unexplained.items():
            self.unexplained[shapes] += found

    def print(self, examples):
        print(f"{self.cases} cases, {self.requests} requests, {self.successes} of them successful")
        print(
            f"{self.same} requests with the same answer by all that answered; "
            f"no answer: {dict(self.failures)}"
        )
        for (peer, name), count in sorted(self.known.items(), key=lambda entry: -entry[1]):
            print(f"{count:8} {peer:9} {name}")
        for (dolmen, peer, other), found in sorted(
            self.unexplained.items(), key=lambda entry: -len(entry[1])
        ):
            print(
                f"\n{len(found):8} UNEXPLAINED\n"
                f"         dolmen    {dolmen}\n         {peer:9} {other}"
            )
            for case, i, three in found[:examples]:
                print_step(case, i, three)


def print_step(case, i, three):
    operation, request = case.requests[i]
    print(f"   case {case.number} of seed {case.seed}, request {i}: {operation}")
    for before in case.requests[:i]:
        print(f"      before    {before[0]} {compare.text(before[1])[:1500]}")
    print(f"      request   {compare.text(request)[:3000]}")
    for name, answer in three.items():
        print(f"      {name:9} {compare.text(answer)[:1500]}")


def kinds_of_cases(arguments):
    """Returns the class of the cases, their tables, and the items of the table that stays unchanged."""
    if arguments.partiql:
        module = generate_partiql
        return module.PartiqlCase, module.TABLES, module.STILL, module.still_items()
    tables = [generate_cases.create_table(name) for name in generate_cases.SCHEMAS]
    module = generate_wire
    return module.WireCase, [module.STILL_TABLE, *tables], module.STILL, module.still_items()


def prepare(all_peers, tables, still, items):
    """Creates all tables before it puts items, because some peers create a table slowly."""
    for peer in all_peers:
        for table in tables:
            peer.ask("CreateTable", table)
    for item in items:
        for peer in all_peers:
            peer.ask("PutItem", {"TableName": still, "Item": item})


def run(arguments, all_peers, first, last):
    """Compares the cases with the numbers from `first` to `last`."""
    report = Report()
    started = time.monotonic()
    make_case, *tables = kinds_of_cases(arguments)
    prepare(all_peers, *tables)
    for start in range(first, last + 1, BATCH):
        cases = [make_case(arguments.seed, n) for n in range(start, min(start + BATCH, last + 1))]
        answers = ask_all(all_peers, cases)
        for i, case in enumerate(cases):
            report.add(case, {name: answers[name][i] for name in answers})
            if arguments.case is not None:
                for k in range(len(case.requests)):
                    print_step(case, k, {name: answers[name][i][k] for name in answers})
        if report.cases % 5000 < BATCH:
            print(
                f"[{time.monotonic() - started:6.0f}s] cases {first} to {cases[-1].number}: "
                f"{sum(map(len, report.unexplained.values()))} unexplained",
                flush=True,
            )
    return report


def run_job(arguments, job, first, last):
    """Runs a job: compares the job's cases on servers that no other job uses."""
    servers, all_peers = [], []
    try:
        servers.append(peers.start_dolmen(arguments.dolmen, arguments.build, job))
        for name in arguments.only:
            servers.append(peers.start_installed(name, arguments.build, job))
        for server in servers:
            server.wait_until_ready()
        all_peers = [peers.HttpPeer(server.name, server.url) for server in servers]
        all_peers += [peers.HttpPeer(*named) for named in arguments.peer]
        return run(arguments, all_peers, first, last)
    finally:
        for process in all_peers + servers:
            process.stop()


def ranges(arguments):
    """Returns the numbers of the first and the last case of each job."""
    if arguments.case is not None:
        return [(arguments.case, arguments.case)]
    end = arguments.first + arguments.cases
    share = -(-arguments.cases // arguments.jobs)
    return [(first, min(first + share, end) - 1) for first in range(arguments.first, end, share)]


def main():
    arguments = parse_arguments()
    named = {name: version for name, version in peers.versions().items() if name in arguments.only}
    print(f"seed {arguments.seed}; peers: {named | dict(arguments.peer)}", flush=True)
    report = Report()
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        jobs = [
            pool.submit(run_job, arguments, job, *both)
            for job, both in enumerate(ranges(arguments))
        ]
        for job in jobs:
            report.merge(job.result())
    report.print(arguments.examples)
    return 1 if report.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
