"""Checks that servers return the right items, and that they store the items of writes."""

import json

from chat_data import TABLE, filled


class WrongAnswer(Exception):
    """An error for an answer that differs from the data or from the answer of another server."""


def check_read(chat, read, clients, count):
    """Checks `count` answers of each server. Returns {server's name: mean bytes per answer}."""
    before = {name: client.bytes_received for name, client in clients.items()}
    for i in range(count):
        answers = _ask_all(clients, read.request(chat, i))
        for name, answer in answers.items():
            items = [answer["Item"]] if "Item" in answer else answer["Items"]
            _expect(items == read.items(chat, i), read.request(chat, i), {name: answer})
    return {
        name: (client.bytes_received - before[name]) / count for name, client in clients.items()
    }


def check_write(chat, write, clients, numbers):
    """Sends the requests with these numbers to all servers and compares the written items."""
    for number in numbers:
        request = filled(write(chat, number), number)
        _ask_all(clients, request)
        for key in _keys_written(request[1]):
            answers = _ask_all(clients, ("GetItem", {"TableName": TABLE, "Key": key}))
            for name, answer in answers.items():
                _expect("Item" in answer, request, {name: answer})


def count_messages(chat, client):
    """Returns the number of messages in the table."""
    count = 0
    for conversation in range(chat.conversations):
        operation, request = chat.query_newest_50(conversation)
        del request["Limit"]
        request["Select"] = "COUNT"
        while True:
            page = client.ask(operation, request)
            count += page["Count"]
            if "LastEvaluatedKey" not in page:
                break
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
    return count


def _keys_written(request):
    puts = [request["Item"]] if "Item" in request else []
    for action in request.get("TransactItems", ()):
        for kind, written in action.items():
            puts.append(written["Item" if kind == "Put" else "Key"])
    return [{"PK": put["PK"], "SK": put["SK"]} for put in puts]


def _ask_all(clients, request):
    answers = {name: client.ask(*request) for name, client in clients.items()}
    first = next(iter(answers.values()))
    _expect(all(answer == first for answer in answers.values()), request, answers)
    return answers


def _expect(holds, request, answers):
    if not holds:
        lines = [f"{name}: {json.dumps(answer)}" for name, answer in answers.items()]
        raise WrongAnswer("\n".join([f"wrong answer to {json.dumps(request)}", *lines]))
