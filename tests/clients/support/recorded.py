"""Raw requests for the tests that exchange items with the entities of Dolmen (../README.md)."""

import json
import os
import urllib.request

import in_process

RECORDED = "recorded"  # the table in which a client writes the items that run.py records
UPDATED = "updated"  # the table for the items that Dolmen's entities have updated


def send(endpoint, operation, body):
    """Sends a request in DynamoDB's JSON, without a client. Returns the answer."""
    if in_process.database is not None:
        return json.loads(in_process.database.execute_json(operation, json.dumps(body)))
    headers = {
        "X-Amz-Target": f"DynamoDB_20120810.{operation}",
        "X-Amz-Date": "20200101T000000Z",
        "Content-Type": "application/x-amz-json-1.0",
        "Authorization": "AWS4-HMAC-SHA256 "
        "Credential=dolmen/20200101/us-east-1/dynamodb/aws4_request, "
        "SignedHeaders=host;x-amz-date, Signature=0",
    }
    request = urllib.request.Request(endpoint, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=20) as response:
        return json.load(response)


def put_updated():
    """Puts the items of the file that DOLMEN_UPDATED names."""
    with open(os.environ["DOLMEN_UPDATED"], encoding="utf-8") as file:
        for line in file:
            body = {"TableName": UPDATED, **json.loads(line)}
            send(os.environ["DOLMEN_ENDPOINT"], "PutItem", body)
