"""Other implementations of DynamoDB: starts them, stops them and sends requests to them."""

import argparse
import http.client
import json
import os
import re
import socket
import subprocess
import time
import urllib.parse

AUTHORIZATION = (
    "AWS4-HMAC-SHA256 Credential=local/20200101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host;x-amz-date, Signature=0"
)


# The name of the member that holds the HTTP status of an answer. An answer with status 200 has no
# such member.
STATUS = "__status"


class HttpPeer:
    """A server that speaks DynamoDB's protocol, at an address such as http://127.0.0.1:8000."""

    def __init__(self, name, url):
        address = urllib.parse.urlsplit(url)
        self.name = name
        self.address = (address.hostname, address.port or 80)
        self.connection = None

    def ask(self, operation, request):
        body = json.dumps(request).encode()
        headers = {
            "X-Amz-Target": f"DynamoDB_20120810.{operation}",
            "X-Amz-Date": "20200101T000000Z",
            "Content-Type": "application/x-amz-json-1.0",
            "Authorization": AUTHORIZATION,
        }
        for attempt in (1, 2, 3):
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPConnection(*self.address, timeout=10)
                    self.connection.connect()
                    self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.connection.request("POST", "/", body, headers)
                response = self.connection.getresponse()
                answer = json.loads(response.read() or b"{}")
                return answer if response.status == 200 else {**answer, STATUS: response.status}
            except json.JSONDecodeError as error:
                return {"__type": "PeerFailure", "message": error.doc}
            except TimeoutError:
                self.connection = None
                return {"__type": "PeerFailure", "message": "no answer"}
            except (http.client.HTTPException, ConnectionError):
                self.connection = None  # the server closes a connection that is idle for too long
                if attempt == 3:
                    raise
        return None

    def stop(self):
        if self.connection is not None:
            self.connection.close()


class Server:
    """A server process that this program started."""

    def __init__(self, name, command, port, log):
        self.name = name
        self.url = f"http://127.0.0.1:{port}"
        with open(log, "wb") as output:
            self.process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)

    def wait_until_ready(self, seconds=60):
        peer = HttpPeer(self.name, self.url)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.name} ended with {self.process.returncode}")
            try:
                peer.ask("ListTables", {})
                peer.stop()
                return
            except OSError:
                time.sleep(0.2)
        raise RuntimeError(f"{self.name} does not answer")

    def stop(self):
        self.process.terminate()
        self.process.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_dolmen(command, directory, job):
    port = free_port()
    command = [command, "serve", "--memory", "--port", str(port)]
    return Server("dolmen", command, port, os.path.join(directory, f"dolmen-{job}.log"))


def command_of(name, directory, port):
    """Returns the command that runs a server which install_peers.sh has installed in the directory."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "dynalite_server.js")
    programs = os.path.join(directory, "python", "bin")
    return {
        "dynalite": (
            "node",
            script,
            os.path.join(directory, "dynalite", "node_modules", "dynalite"),
            port,
        ),
        "dynoxide": (os.path.join(directory, "bin", "dynoxide"), "serve", "--port", port),
        "ministack": (
            *("env", f"GATEWAY_PORT={port}", "SERVICES=dynamodb", "LOG_LEVEL=ERROR"),
            os.path.join(programs, "ministack"),
        ),
        "moto": (os.path.join(programs, "moto_server"), "--host", "127.0.0.1", "--port", port),
    }[name]


def start_installed(name, directory, job):
    port = free_port()
    command = command_of(name, os.path.abspath(directory), str(port))
    return Server(name, command, port, os.path.join(directory, f"{name}-{job}.log"))


def versions():
    """Returns {name: version} of the servers that install_peers.sh installs."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers.txt")
    with open(path, encoding="utf-8") as file:
        return dict(line.split() for line in file if not line.startswith("#"))


def named_url(text):
    """Returns the name and the URL of the value NAME=URL of an option, for argparse."""
    name, equals, url = text.partition("=")
    if not (name and equals and re.match(r"http://[^/]", url)):
        raise argparse.ArgumentTypeError(
            f"{text} is not NAME=URL, such as other=http://127.0.0.1:8000"
        )
    return name, url.rstrip("/")
