#!/usr/bin/env python3
"""Forwards connections to a port of this machine.

  front.py tls PORT CERTIFICATE KEY    accepts connections by TLS
  front.py proxy PORT                  is an HTTP proxy for TLS, which takes PORT for every host

Prints its own port, and then the first line of each request to the proxy.
"""

import contextlib
import select
import socket
import socketserver
import ssl
import sys


def forward(client, server):
    """Forwards bytes in both directions until one side ends."""
    while True:
        is_waiting = isinstance(client, ssl.SSLSocket) and client.pending()
        ready = [client] if is_waiting else select.select([client, server], [], [])[0]
        for source in ready:
            data = source.recv(1 << 16)
            if not data:
                return
            (server if source is client else client).sendall(data)


def accept_tls(certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return lambda connection: context.wrap_socket(connection, server_side=True)


def accept_connect(connection):
    head = b""
    while b"\r\n\r\n" not in head:
        head += connection.recv(1 << 16)
    print(head.split(b"\r\n")[0].decode(), flush=True)
    connection.sendall(b"HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\n")
    return connection


def main():
    kind, port, *files = sys.argv[1:]
    accept = accept_tls(*files) if kind == "tls" else accept_connect

    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            with contextlib.suppress(OSError):  # the client refuses the certificate, or has gone
                with accept(self.request) as client:
                    with socket.create_connection(("127.0.0.1", int(port))) as server:
                        forward(client, server)

    socketserver.ThreadingTCPServer.daemon_threads = True
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        print(server.server_address[1], flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
