#!/usr/bin/env python3
"""Runs every command of `dolmen` on databases and backups in which files were replaced.

A random file, directory or new name becomes a named pipe, a socket, a device, a directory, a link,
or a sparse file of a terabyte. Each command must end by itself or on SIGTERM, which it gets after
five seconds. It must not crash, must not fill the memory, and must leave the files outside of the
directory alone. The variable DOLMEN_STEPS is the number of directories.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

KEY = "5a" * 32
TABLE = "app"
TERABYTE = 1 << 40
MEMORY_MAX = 1 << 30
FILE_MAX = 1 << 28  # so that a copy of a sparse file does not fill the disk
HANGS_AFTER = 60  # seconds after SIGTERM

SCHEMA = {
    "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
}
# Names that a directory may lack, and which some release, command or version of RocksDB looks for.
NEW_NAMES = (
    "DOLMEN.new",
    "DOLMEN.logs.new",
    "DOLMEN.backup",
    "DOLMEN.backup.new",
    "DOLMEN.backup.current.new",
    "DOLMEN.repairing",
    "000099.log",
    "000099.sst",
    "000001.dbtmp",
    "MANIFEST-000099",
    "OPTIONS-000099",
    "LOG",
    "LOCK",
    "archive",
    "backups",
    "backups/01760000000000-1a2b3c4d",
    "backups/01760000000000-1a2b3c4d.tmp",
    "meta/7",
    "private",
    "shared",
)


class Outside:
    """Files that do not belong to the database, and to which links lead."""

    def __init__(self, root):
        self.root = root
        root.mkdir()
        (root / "file").write_text("not of the database", encoding="utf-8")
        (root / "folder").mkdir()
        (root / "folder" / "file").write_text("not of the database", encoding="utf-8")
        (root / "file").chmod(0o600)  # as a hard link to it is, when it is the file of a database
        os.mkfifo(root / "pipe")
        self.before = self.state()

    def state(self):
        return sorted(
            (str(path), path.lstat().st_mode, path.read_text() if path.is_file() else "")
            for path in self.root.rglob("*")
        )


def remove(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    elif path.is_symlink() or path.exists():
        path.unlink()


def bind_socket(path):
    """Creates a socket. The name of a socket is short, so it is a relative one."""
    before = os.getcwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)
    finally:
        os.chdir(before)


def make_device(path, number):
    try:
        os.mknod(path, 0o600 | 0o020000, number)
    except PermissionError:  # only root creates devices
        path.symlink_to("/dev/zero")


def make_sparse(path):
    with open(path, "wb") as file:
        file.truncate(TERABYTE)


def lengthen(path, content):
    path.write_bytes(content)
    os.truncate(path, TERABYTE)


def link_file(path, outside):
    os.link(outside.root / "file", path)


# Each kind of forgery replaces the file at `path`, which no longer exists.
KINDS = {
    "pipe": lambda path, *_: os.mkfifo(path),
    "socket": lambda path, *_: bind_socket(path),
    "zero": lambda path, *_: make_device(path, os.makedev(1, 5)),
    "full": lambda path, *_: make_device(path, os.makedev(1, 7)),
    "folder": lambda path, *_: path.mkdir(),
    "link to a file": lambda path, outside, _: path.symlink_to(outside.root / "file"),
    "link to a folder": lambda path, outside, _: path.symlink_to(outside.root / "folder"),
    "link to a pipe": lambda path, outside, _: path.symlink_to(outside.root / "pipe"),
    "link to nothing": lambda path, outside, _: path.symlink_to(outside.root / "absent"),
    "link to itself": lambda path, *_: path.symlink_to(path.name),
    "link to a device": lambda path, *_: path.symlink_to("/dev/zero"),
    "link to its own copy": lambda path, outside, content: copied_away(path, outside, content),
    "sparse": lambda path, *_: make_sparse(path),
    "lengthened": lambda path, _, content: lengthen(path, content),
    "hard link": lambda path, outside, _: link_file(path, outside),
}


def copied_away(path, outside, content):
    """Replaces a sound file by a link to a copy, which must be refused, too."""
    away = outside.root.parent / "away"
    away.mkdir(exist_ok=True)
    (away / path.name).write_bytes(content)
    path.symlink_to(away / path.name)


def forge(directory, outside, chance):
    """Replaces one to three files below the directory. Returns a description."""
    told = []
    for _ in range(chance.choice((1, 1, 2, 3))):
        found = sorted(directory.rglob("*"))
        invented = [directory / name for name in NEW_NAMES]
        path = chance.choice(found if chance.random() < 0.7 else invented)
        if not path.parent.is_dir() or path.parent.is_symlink():
            continue
        # A hard link gives no way to the file that it shares, so a write into it is the program's.
        kind = chance.choice(sorted(set(KINDS) - ({"hard link"} if path in found else set())))
        is_file = path.is_file() and not path.is_symlink() and path.stat().st_size < TERABYTE
        content = path.read_bytes() if is_file else b""
        remove(path)
        KINDS[kind](path, outside, content)
        told.append(f"{path.relative_to(directory)}: {kind}")
    return ", ".join(told) or "nothing"


@dataclasses.dataclass
class Ended:
    code: int
    seconds: float
    after_signal: float  # 0 if it got no signal
    memory: int
    error: str


def limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_MAX, FILE_MAX))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def run(command, environment, limit_seconds, log):
    """Runs a command. It gets SIGTERM after the limit."""
    begin = time.monotonic()
    with open(log, "wb") as output, subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=output,
        restore_signals=False,
        preexec_fn=limit,
    ) as process:
        signalled = 0.0
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            now = time.monotonic()
            if pid != 0:
                process.returncode = os.waitstatus_to_exitcode(status)
                break
            if not signalled and now - begin > limit_seconds:
                signalled = now
                process.send_signal(signal.SIGTERM)
            if signalled and now - signalled > HANGS_AFTER:
                process.kill()
            time.sleep(0.002)
    return Ended(
        process.returncode,
        now - begin,
        now - signalled if signalled else 0,
        usage.ru_maxrss * 1024,
        pathlib.Path(log).read_text(errors="replace"),
    )


def faults_of(ended):
    faults = []
    if ended.after_signal > HANGS_AFTER:
        faults.append("ignores SIGTERM")
    ends = (-signal.SIGTERM,) if ended.after_signal else ()
    if ended.code not in (0, 1, 2, 130, *ends) and not faults:
        faults.append(f"ended with {ended.code}")
    if ended.memory > MEMORY_MAX:
        faults.append(f"took {ended.memory >> 20} MiB")
    return faults


class Rig:
    """The sound directories, and the commands that run on forged copies of them."""

    def __init__(self, program, root, chance):
        self.program = program
        self.root = root
        self.chance = chance
        self.plain = os.environ | {"XDG_STATE_HOME": str(root / "state")}
        self.plain.pop("DOLMEN_ENCRYPTION_KEY", None)
        self.encrypted = self.plain | {"DOLMEN_ENCRYPTION_KEY": KEY}
        self.items = root / "items.json"
        self.items.write_text(
            "".join(
                json.dumps({"Item": {"PK": {"S": f"{number:06}"}, "t": {"S": "t" * 200}}}) + "\n"
                for number in range(500)
            ),
            encoding="utf-8",
        )
        schema = root / "schema.json"
        schema.write_text(json.dumps(SCHEMA), encoding="utf-8")
        self.create = ("--create-table", "--schema", str(schema))
        for name, environment in (("plain", self.plain), ("encrypted", self.encrypted)):
            self.make(name, environment)
        self.slowest = self.longest = 0.0
        self.largest = self.runs = self.signalled = self.refused = 0

    def make(self, name, environment):
        """Makes a database with table files, logs and a backup of a table, and its backup."""
        path = self.root / f"{name}.dolmen"
        imported = ("import", "--path", path, "--table", TABLE)
        for command in (
            (*imported, *self.create, self.items),
            ("backup", path, "--table", TABLE),
            (*imported, "--restart", self.items),
            ("backup", path, self.root / f"{name}.backup"),
            (*imported, "--restart", self.items),
        ):
            done = subprocess.run(
                (self.program, *command),
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            if done.returncode != 0:
                sys.exit(f"{command}: {done.stdout}")

    def commands(self, is_backup, forged, work):
        """The commands, those that write last, each with the seconds until it gets SIGTERM."""
        on_table = ("--path", forged, "--table", TABLE)
        if is_backup:
            other = self.root / "plain.dolmen"
            return (
                (("restore", forged, work / "restored"), 5),
                (("verify", "--path", forged), 5),
                (("repair", forged, work / "repaired"), 5),
                (("backup", copy(other, work / "copy"), forged), 5),
            )
        return (
            (("verify", "--path", forged), 5),
            (("tables", "--path", forged), 5),
            (("stats", "--path", forged), 5),
            (("query", *on_table, "--partition", "000001"), 5),
            (("draw", *on_table), 5),
            (("shell", "--path", forged), 5),
            (("export", *on_table, "--output", work / "export.json"), 5),
            (("export", *on_table, "--skip-damaged", "--output", work / "export.json"), 5),
            (("backup", forged, "--list"), 5),
            (("copy", forged, work / "copied", "--table", TABLE), 5),
            (("repair", forged, work / "repaired"), 5),
            (("serve", "--memory", "--fixture", forged, "--port", "0"), 1),
            (("serve", "--path", forged, "--port", "0"), 1),
            (("backup", forged, work / "backup"), 5),
            (("backup", forged, "--table", TABLE), 5),
            (("import", *on_table, "--restart", self.items), 5),
        )

    def step(self, number):
        """Forges a directory and runs the commands on it. Returns the faults."""
        work = self.root / "work"
        work.mkdir()
        is_encrypted = self.chance.random() < 0.3
        is_backup = self.chance.random() < 0.2
        name = ("encrypted" if is_encrypted else "plain") + (".backup" if is_backup else ".dolmen")
        environment = self.encrypted if is_encrypted else self.plain
        forged = copy(self.root / name, work / "forged")
        outside = Outside(work / "outside")
        told = forge(forged, outside, self.chance)
        faults = []
        for command, seconds in self.commands(is_backup, forged, work):
            ended = run((self.program, *command), environment, seconds, work / "log")
            self.count(ended)
            what = f"{number}, {name}, {told}: {' '.join(str(part) for part in command)}"
            faults += [f"{what}: {fault}: {ended.error}" for fault in faults_of(ended)]
            if outside.state() != outside.before:
                faults.append(f"{what}: changed a file outside of the directory")
                outside.before = outside.state()
        shutil.rmtree(work)
        return faults

    def count(self, ended):
        self.runs += 1
        self.signalled += ended.after_signal > 0
        self.refused += ended.code == 1
        self.slowest = max(self.slowest, ended.seconds if not ended.after_signal else 0)
        self.longest = max(self.longest, ended.after_signal)
        self.largest = max(self.largest, ended.memory)


def copy(source, target):
    shutil.copytree(source, target)
    return target


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="dolmen")
    parser.add_argument("--steps", type=int, default=int(os.environ.get("DOLMEN_STEPS") or 20))
    parser.add_argument("--seed", default=os.environ.get("DOLMEN_SEED") or random.randrange(10**9))
    arguments = parser.parse_args()
    print(f"--steps={arguments.steps} --seed={arguments.seed}", flush=True)
    faults = []
    with tempfile.TemporaryDirectory() as directory:
        rig = Rig(
            os.path.abspath(arguments.program),
            pathlib.Path(directory),
            random.Random(f"{arguments.seed}"),
        )
        for number in range(arguments.steps):
            found = rig.step(number)
            faults += found
            for fault in found:
                print(fault, flush=True)
    print(
        f"{arguments.steps} forged directories, {rig.runs} commands: {rig.refused} ended with an "
        f"error, {rig.signalled} needed SIGTERM; the others took {rig.slowest:.2f} s at most, the "
        f"end after SIGTERM {rig.longest:.2f} s; {rig.largest >> 20} MiB of memory; "
        f"{len(faults)} faults"
    )
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
