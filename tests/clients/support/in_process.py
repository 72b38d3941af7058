"""Executes the requests of botocore in the process of the tests (../README.md)."""

import os
import sys

DIRECTORY = os.environ.get("DOLMEN_IN_PROCESS")  # the packages; None or empty: tests over HTTP
WAY = os.environ.get("DOLMEN_WAY", "direct")

database = None  # the database of the tests; None: tests over HTTP


def begin():
    """Forbids sockets, and attaches a new database to all clients that the tests create."""
    global database  # pylint: disable=global-statement
    sys.path.insert(0, os.path.join(DIRECTORY, "python"))
    import botocore  # pylint: disable=import-outside-toplevel
    import dolmen  # pylint: disable=import-outside-toplevel

    sys.addaudithook(_forbid_sockets)
    database = dolmen.Database()
    database.attach(botocore, way=WAY)


def new_database(session):
    """Attaches a new database to a session, as a server has one for each access key. Returns it."""
    import dolmen  # pylint: disable=import-outside-toplevel

    attached = dolmen.Database(clock="manual", simulate={})
    attached.attach(session, way=WAY)
    return attached


def _forbid_sockets(event, _arguments):
    if event == "socket.__new__":
        raise RuntimeError("a test in process has opened a socket")
