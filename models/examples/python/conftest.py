"""Gives each test a database of its own, on a server that README.md tells how to start."""

import json
import os
import urllib.request
import uuid
from datetime import datetime

import boto3
import pytest

ENDPOINT = os.environ.get("DOLMEN_ENDPOINT", "http://127.0.0.1:8000")


class Shop:
    """A database with the contents of orders.json. Its access key belongs to one test."""

    def __init__(self):
        self.access_key = uuid.uuid4().hex
        self.dynamodb = boto3.resource(
            "dynamodb",
            endpoint_url=ENDPOINT,
            region_name="us-east-1",
            aws_access_key_id=self.access_key,
            aws_secret_access_key="any",
        )

    def control(self, method, path, body=None):
        """Sends a control request and returns the answer."""
        request = urllib.request.Request(
            f"{ENDPOINT}/_dolmen/{path}",
            method=method,
            headers={"X-Dolmen-Access-Key": self.access_key},
            data=None if body is None else json.dumps(body).encode(),
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def simulate(self, *rules):
        """Begins the faults of the rules, which follow from the seed."""
        self.control("POST", "simulate", {"Seed": 4, "Rules": rules})

    def set_clock(self, time):
        self.control("POST", f"clock?set={time}")

    def advance(self, seconds):
        self.control("POST", f"clock?advance={seconds}")

    def now(self):
        """Returns the seconds since 1970."""
        return datetime.fromisoformat(self.control("GET", "clock")["Now"]).timestamp()

    def stock(self, product):
        key = {"PK": f"PRODUCT#{product}", "SK": "STOCK"}
        return self.dynamodb.Table("shop").get_item(Key=key)["Item"]["stock"]


@pytest.fixture
def shop():
    database = Shop()
    yield database
    # pytest prints the faults if the test has failed.
    print(*database.control("GET", "simulate")["Trace"], sep="\n")
    database.control("POST", "drop")
