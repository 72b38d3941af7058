#!/usr/bin/env python3
"""Sends requests by boto3 from several threads, for bench.py."""

import json
import os
import resource
import sys
import threading
import time
import traceback

import boto3
import botocore.config


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Sender(threading.Thread):
    """Sends the requests in turn until `ends` is set, and counts them while `measures` is set."""

    def __init__(self, calls, first, measures, ends):
        super().__init__()
        self.calls, self.next = calls, first
        self.measures, self.ends = measures, ends
        self.sent = self.items = 0

    def run(self):
        try:
            self.send()
        except BaseException:  # ends the process, because the bench needs all threads
            traceback.print_exc()
            os._exit(1)

    def send(self):
        while not self.ends.is_set():
            method, request = self.calls[self.next % len(self.calls)]
            self.next += 1
            response = method(**request)
            if self.measures.is_set() and not self.ends.is_set():
                self.sent += 1
                self.items += len(response["Items"]) if "Items" in response else "Item" in response


def main():
    endpoint, path, threads, warm_up, seconds = sys.argv[1:]
    client = boto3.client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",
        config=botocore.config.Config(max_pool_connections=int(threads)),
    )
    methods = {"GetItem": client.get_item, "Query": client.query, "PutItem": client.put_item}
    with open(path, encoding="ascii") as file:
        lines = [line.split("\t") for line in file]
    calls = [(methods[operation], json.loads(request)) for operation, request in lines]
    measures, ends = threading.Event(), threading.Event()
    senders = [
        Sender(calls, i * len(calls) // int(threads), measures, ends) for i in range(int(threads))
    ]
    for sender in senders:
        sender.start()
    time.sleep(float(warm_up))
    cpu, begin = cpu_seconds(), time.perf_counter()
    measures.set()
    time.sleep(float(seconds))
    ends.set()
    passed, used = time.perf_counter() - begin, cpu_seconds() - cpu
    for sender in senders:
        sender.join()
    print(sum(s.sent for s in senders), sum(s.items for s in senders), passed, used)


if __name__ == "__main__":
    main()
