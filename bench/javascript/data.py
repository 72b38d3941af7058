#!/usr/bin/env python3
"""Prints the data and the requests of bench.mjs in JSON, which are those of bench/http.

  data.py CONVERSATIONS MESSAGES_PER_CONVERSATION

The output has the requests that create and fill the table, and for each workload 100 requests with
the items that they must find.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "http"))

# pylint: disable=wrong-import-position
from chat_data import READS, Chat  # noqa: E402

WORKLOADS = ("get_item", "query_newest_50")
REQUESTS = 100


def reads(chat, workload):
    for i in range(REQUESTS):
        operation, request = READS[workload].request(chat, i)
        items = READS[workload].items(chat, i)
        yield {"operation": operation, "request": request, "items": items}


def main():
    chat = Chat(int(sys.argv[1]), int(sys.argv[2]))
    data = {
        "create": chat.create_table()[1],
        "load": [request for _, request in chat.load()],
        "messages": [chat.message(i) for i in range(chat.messages)],
        "reads": {workload: list(reads(chat, workload)) for workload in WORKLOADS},
    }
    json.dump(data, sys.stdout)


if __name__ == "__main__":
    main()
