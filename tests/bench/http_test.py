#!/usr/bin/env python3
"""Tests of the scripts of the HTTP bench and the load."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).parents[2] / "bench" / "http"
sys.path.insert(0, str(SCRIPTS))

import throughput  # noqa: E402  pylint: disable=wrong-import-position
import answers  # noqa: E402
import charts  # noqa: E402
import chat_data  # noqa: E402
import large  # noqa: E402
import parsers  # noqa: E402
import load  # noqa: E402
import mixed  # noqa: E402

MEGABYTE = 1 << 20


def runs(rate):
    return [
        {
            "requests": requests,
            "seconds": 2.0,
            "bytes": 500 * requests,
            "p50_us": 100,
            "p99_us": 900,
            "bad_status": 0,
            "socket_errors": 0,
            "timeouts": 0,
        }
        for requests in (2 * rate - 1, 2 * rate + 1, 2 * rate)
    ]


DOCUMENT = {
    "context": {
        "date": "2024-04-01T09:00:00+00:00",
        "num_cpus": 2,
        "versions": {"dolmen": "0.1.0", "dynoxide": "1.5.0"},
        "connections": 4,
        "threads": 2,
        "seconds": 2,
    },
    "footprint": {
        f"{row}/{name}": [value]
        for row, value in (
            ("first_answer", 10.0),
            ("first_answer_cpu", 8.0),
            ("idle_memory", 21.0),
            ("size", 4.0),
        )
        for name in ("dolmen", "dynoxide")
    },
    "runs": {
        "get_item/dolmen": runs(3000),
        "get_item/dynoxide": runs(1000),
        "put_item/dolmen": runs(1500),
        "put_item/dynoxide": runs(1000),
    },
}


class ThroughputTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.out = pathlib.Path(directory.name)
        recorded = self.out / "recorded.json"
        recorded.write_text(json.dumps(DOCUMENT))
        command = [sys.executable, "-B", SCRIPTS / "throughput.py", recorded, "--out", self.out]
        self.printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def test_rates_are_medians_of_the_rounds(self):
        self.assertEqual(throughput.rows_of(DOCUMENT)["get_item/dolmen"].value, 3000.0)

    def test_the_page_shows_the_ratio_of_rates_to_each_peer(self):
        self.assertIn("| get_item | 3,000 | 1,000 (3.00 x) |", self.printed)

    def test_the_page_has_a_running_server_whose_resources_are_unknown(self):
        document = DOCUMENT | {"runs": DOCUMENT["runs"] | {"get_item/other": runs(1500)}}
        del document["runs"]["put_item/dolmen"]
        lines = throughput.table(throughput.rows_of(document), ("dolmen", "other"))
        self.assertIn("| get_item | 3,000 | 1,500 (2.00 x) |", lines)
        self.assertIn("| idle memory, MiB | 21.0 |  |", lines)

    def test_a_target_is_a_ratio_or_an_absolute_value_with_a_unit(self):
        verdicts = [line.split()[:2] for line in self.printed.splitlines()]
        for verdict, row in (
            ("holds", "get_item/dolmen"),
            ("MISSED", "put_item/dolmen"),
            ("holds", "put_item_p99/dolmen"),
            ("holds", "first_answer/dolmen"),
            ("MISSED", "idle_memory/dolmen"),
        ):
            self.assertIn([verdict, row], verdicts)

    @unittest.skipUnless(charts.can_draw(), "no gnuplot: charts are not tested")
    def test_draws_a_chart_of_the_rates(self):
        self.assertIn(b"put_item", (self.out / "http.svg").read_bytes())


def samples(sizes, errors=0):
    return {
        "context": {"connections": 64, "durability": "sync"},
        "samples": [
            {
                "seconds": 10 * (i + 1),
                "requests_per_second": 5000,
                "resident_bytes": round(size * MEGABYTE),
                "errors": errors,
            }
            for i, size in enumerate(sizes)
        ],
        "exit_code": 0,
        "verified": True,
    }


class LoadTest(unittest.TestCase):
    def test_memory_may_rise_while_the_caches_fill(self):
        self.assertEqual(load.failures(samples([10, 50, 90, 100, 101, 99, 100, 101, 100, 99])), [])

    def test_memory_that_rises_after_the_warm_up_is_a_failure(self):
        found = load.failures(samples([10, 50, 90, 99, 100, 103, 106, 109, 112, 115]))
        self.assertEqual(found, ["resident memory rose from 100.0 to 115.0 MB"])

    def test_a_failed_request_is_a_failure(self):
        self.assertEqual(load.failures(samples([100, 100], errors=1)), ["2 requests failed"])

    def test_a_nonzero_exit_code_and_a_damaged_database_are_failures(self):
        ended = samples([100, 100]) | {"exit_code": -6, "verified": False}
        self.assertEqual(len(load.failures(ended)), 2)

    @unittest.skipUnless(charts.can_draw(), "no gnuplot: charts are not tested")
    def test_draws_a_chart_of_throughput_and_memory(self):
        drawn = subprocess.run(
            ["gnuplot"],
            input=load.script(samples([10, 100, 100])),
            capture_output=True,
            text=True,
            check=True,
        )
        self.assertIn("resident memory", drawn.stdout)


class RequestsTest(unittest.TestCase):
    def setUp(self):
        self.chat = chat_data.Chat(conversations=20, messages_each=60)

    def test_the_number_of_a_request_determines_its_time(self):
        request = chat_data.filled(self.chat.put_item(7), 1500)
        item = request[1]["Item"]
        self.assertEqual(item["createdAt"]["S"], "2024-04-01T09:00:01.500Z")
        self.assertEqual(item["SK"]["S"][4:14], chat_data.time_of_ulid(1_711_962_001_500))

    def test_placeholders_have_the_length_of_their_replacements(self):
        request = self.chat.transact_write_items(7)
        self.assertEqual(
            len(json.dumps(request)), len(json.dumps(chat_data.filled(request, 12_345_678)))
        )

    def test_the_mix_deletes_each_message_that_it_puts(self):
        requests = mixed.Mix(self.chat).requests()
        there, distances = {}, []
        for number, request in enumerate(2 * requests):
            for name, key in _writes(chat_data.filled(request, number)):
                if name == "Item":
                    there[key] = number
                elif key in there:
                    distances.append(number - there.pop(key))
        self.assertGreater(min(there.values()), 2 * len(requests) - mixed.LATER - mixed.TURN)
        self.assertGreater(len(distances), len(requests) // mixed.TURN)
        self.assertEqual({distance % 4 for distance in distances}, {0})


def _writes(part):
    """Yields ("Item" or "Key", key) for each message that a request puts or deletes."""
    if isinstance(part, (list, tuple)):
        for element in part:
            yield from _writes(element)
    elif isinstance(part, dict):
        for name, value in part.items():
            if name in ("Item", "Key") and value["SK"]["S"].startswith("MSG#01HTC"):
                yield name, (value["PK"]["S"], value["SK"]["S"])
            else:
                yield from _writes(value)


class LargeTest(unittest.TestCase):
    """Tests of the checks of large bodies."""

    ROW = {
        "kind": "spaces",
        "coding": "gzip",
        "peak_megabytes": 320,
        "wait_max_ms": 62.5,
        "executed": 1,
        "refused": 63,
    }

    def failures(self, **changes):
        control = {"wait_max_ms": 12.5}
        return large.failures(
            {"context": {"clients": 64}, "control": control, "rows": [self.ROW | changes]}
        )

    def test_values_at_the_limits_pass(self):
        self.assertEqual(self.failures(), [])

    def test_each_limit_is_checked(self):
        for changes, text in (
            ({"peak_megabytes": 321}, "took 321 MB"),
            ({"wait_max_ms": 62.6}, "a GetItem took 62.6 ms of 62.5"),
            ({"refused": 62}, "neither a result nor 503"),
            ({"executed": 0, "refused": 64}, "refused all requests"),
        ):
            (failure,) = self.failures(**changes)
            self.assertIn(text, failure)

    def test_every_body_has_the_largest_size(self):
        for _, body in large.bodies().values():
            self.assertEqual(len(body), large.BODY_BYTES)


class ParsersTest(unittest.TestCase):
    """Tests of the checks of expensive requests."""

    ROW = {
        "kind": "JSON: spaces",
        "bytes": 16_777_216,
        "microseconds_per_byte": 0.2,
        "limit": 0.2,
        "wait_max_ms": 50.0,
        "statuses": {"200": 1},
    }

    def failures(self, **changes):
        return parsers.failures({"rows": [self.ROW | changes]})

    def test_values_at_the_limits_pass(self):
        self.assertEqual(self.failures(), [])
        self.assertEqual(self.failures(wait_max_ms=None), [])

    def test_each_limit_is_checked(self):
        for changes in ({"microseconds_per_byte": 0.3}, {"wait_max_ms": 50.1}, {"statuses": {}}):
            self.assertEqual(len(self.failures(**changes)), 1)

    def test_every_body_fits(self):
        for name, (_, body, _) in parsers.large_bodies().items():
            self.assertLessEqual(len(body), parsers.BODY_BYTES, name)


class FakeClient:
    """A client that returns one answer to all requests."""

    def __init__(self, answer):
        self.answer = answer
        self.bytes_received = 0

    def ask(self, *_):
        return self.answer


class AnswersTest(unittest.TestCase):
    def setUp(self):
        self.chat = chat_data.Chat(conversations=20, messages_each=60)
        self.read = chat_data.READS["query_newest_50"]
        self.items = self.read.items(self.chat, 0)

    def check(self, *all_answers):
        clients = {str(i): FakeClient(answer) for i, answer in enumerate(all_answers)}
        answers.check_read(self.chat, self.read, clients, 1)

    def test_answers_equal_to_the_data_pass(self):
        self.check({"Items": self.items}, {"Items": self.items})

    def test_answers_with_other_items_fail(self):
        with self.assertRaises(answers.WrongAnswer):
            self.check({"Items": self.items[:-1]}, {"Items": self.items[:-1]})

    def test_answers_that_differ_between_servers_fail(self):
        with self.assertRaises(answers.WrongAnswer):
            self.check({"Items": self.items, "Count": 50}, {"Items": self.items, "Count": 49})


if __name__ == "__main__":
    unittest.main()
