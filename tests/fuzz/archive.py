#!/usr/bin/env python3
"""Packs a database directory into an input of the target `directory`, or unpacks such an input."""

import argparse
import pathlib
import sys

# Dolmen does not read these files.
IGNORED = ("LOCK", "IDENTITY", "OPTIONS-")


def pack(directory):
    archive = b""
    for file in sorted(directory.iterdir()):
        if not file.name.startswith(IGNORED):
            content = file.read_bytes()
            archive += f"{file.name} {len(content)}\n".encode() + content + b"\n"
    return archive


def unpack(archive, directory):
    directory.mkdir(parents=True)
    while archive:
        head, _, archive = archive.partition(b"\n")
        name, _, size = head.partition(b" ")
        (directory / pathlib.PurePath(name.decode()).name).write_bytes(archive[: int(size)])
        archive = archive[int(size) + 1 :]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=pathlib.Path, help="a directory to pack or a file to unpack")
    parser.add_argument("directory", type=pathlib.Path, nargs="?", help="a new directory")
    arguments = parser.parse_args()
    if arguments.directory is None:
        sys.stdout.buffer.write(pack(arguments.source))
    else:
        unpack(arguments.source.read_bytes(), arguments.directory)


if __name__ == "__main__":
    main()
