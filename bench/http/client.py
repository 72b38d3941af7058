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
    """An error for an answer with a status other than 200."""


class Client:
    """A connection for one thread. Raises network errors unchanged and never retries."""

    def __init__(self, port, timeout=60, access_key="local", host="127.0.0.1"):
        self.connection = http.client.HTTPConnection(host, port, timeout=timeout)
        authorization = HEADERS["Authorization"].replace("=local/", f"={access_key}/")
        self.headers = HEADERS | {"Authorization": authorization}
        self.bytes_received = 0  # on the wire: status lines and headers included

    def send(self, operation, body):
        """Sends a request. Returns the status and the text of the answer."""
        if self.connection.sock is None:
            self.connection.connect()
            self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        target = {"X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        self.connection.request("POST", "/", body, self.headers | target)
        response = self.connection.getresponse()
        text = response.read()
        head = sum(len(name) + len(value) + 4 for name, value in response.getheaders())
        status_line = len(f"HTTP/1.1 {response.status} {response.reason}\r\n")
        self.bytes_received += status_line + head + 2 + len(text)
        return response.status, text

    def ask(self, operation, request):
        """Sends a request. Returns the parsed answer. Raises Refused for any status except 200."""
        status, text = self.send(operation, json.dumps(request).encode())
        if status != 200:
            raise Refused(f"{operation}: {status} {text.decode(errors='replace')}")
        return json.loads(text or b"{}")

    def close(self):
        self.connection.close()
