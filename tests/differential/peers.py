"""The three implementations: starts them, stops them and sends requests to them."""

import glob
import http.client
import json
import os
import socket
import subprocess
import time

AUTHORIZATION = (
    "AWS4-HMAC-SHA256 Credential=local/20200101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host;x-amz-date, Signature=0"
)


# The name of the member that holds the HTTP status of an answer. An answer with status 200 has no
# such member.
STATUS = "__status"


class HttpPeer:
    """A server that speaks DynamoDB's protocol."""

    def __init__(self, name, port):
        self.name = name
        self.port = port
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
                    self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
                    self.connection.connect()
                    self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.connection.request("POST", "/", body, headers)
                response = self.connection.getresponse()
                answer = json.loads(response.read() or b"{}")
                return answer if response.status == 200 else {**answer, STATUS: response.status}
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
        self.port = port
        with open(log, "wb") as output:
            self.process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)

    def wait_until_ready(self, seconds=60):
        peer = HttpPeer(self.name, self.port)
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


def start_dynamodb_local(directory, job, shares_tables=True):
    """Starts DynamoDB Local. If it does not share its tables, each access key has tables of its own."""
    port = free_port()
    home = os.path.join(directory, "dynamodb-local")
    command = [
        "java",
        "-Xmx1g",
        f"-Dsqlite4java.library.path={home}",
        "-cp",
        f"{home}/*",
        "com.amazonaws.services.dynamodbv2.local.main.ServerRunner",
        "-inMemory",
        *(["-sharedDb"] if shares_tables else []),
        "-disableTelemetry",
        "-port",
        str(port),
    ]
    return Server("local", command, port, os.path.join(directory, f"dynamodb-local-{job}.log"))


def start_dolmen(command, directory, job):
    port = free_port()
    command = [command, "serve", "--memory", "--port", str(port)]
    return Server("dolmen", command, port, os.path.join(directory, f"dolmen-{job}.log"))


def start_dynalite(directory, job):
    port = free_port()
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "dynalite_server.js")
    module = os.path.abspath(os.path.join(directory, "node_modules", "dynalite"))
    command = ["node", script, module, str(port)]
    return Server("dynalite", command, port, os.path.join(directory, f"dynalite-{job}.log"))


def versions(directory):
    jar = os.path.basename(
        glob.glob(os.path.join(directory, "dynamodb-local", "DynamoDBLocal-*.jar"))[0]
    )
    with open(
        os.path.join(directory, "node_modules", "dynalite", "package.json"), encoding="utf-8"
    ) as file:
        dynalite = json.load(file)["version"]
    return {
        "DynamoDB Local": jar.removeprefix("DynamoDBLocal-").removesuffix(".jar"),
        "dynalite": dynalite,
    }
