"""A connection to a server that speaks DynamoDB's protocol."""

import http.client
import json
import socket

HEADERS = {
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Date": "20240401T090000Z",
    "Authorization": "AWS4-HMAC-SHA256 "
    "Credential=local/20240401/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=" + "0123456789abcdef" * 4,
}


class Refused(Exception):
    """An answer with another status than 200."""


class Client:
    """For one thread.  What the network says is raised as it is, and nothing is sent again."""

    def __init__(self, port, timeout=60):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
        self.bytes_received = 0  # with status line and headers, as they are counted on the wire

    def send(self, operation, body):
        """The answer's status and text."""
        if self.connection.sock is None:
            self.connection.connect()
            self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        target = {"X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        self.connection.request("POST", "/", body, HEADERS | target)
        response = self.connection.getresponse()
        text = response.read()
        head = sum(len(name) + len(value) + 4 for name, value in response.getheaders())
        status_line = len(f"HTTP/1.1 {response.status} {response.reason}\r\n")
        self.bytes_received += status_line + head + 2 + len(text)
        return response.status, text

    def ask(self, operation, request):
        """The answer, parsed; Refused if there was an error."""
        status, text = self.send(operation, json.dumps(request).encode())
        if status != 200:
            raise Refused(f"{operation}: {status} {text.decode(errors='replace')}")
        return json.loads(text or b"{}")

    def close(self):
        self.connection.close()
