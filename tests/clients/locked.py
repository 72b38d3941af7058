"""Compares the installed versions and sizes with lock.json."""

import dataclasses
import json
import os

SIZE_TOLERANCE = 0.1


@dataclasses.dataclass
class Install:
    """The content of BUILD_DIR after install.sh."""

    versions: dict  # {package: version}, the client itself first
    of_system: set  # the packages that the machine provides
    size: int  # in bytes

    def title(self):
        package, version = next(iter(self.versions.items()))
        return f"{package} {version}"


def read_install(directory):
    versions, of_system = {}, set()
    with open(os.path.join(directory, "versions"), encoding="utf-8") as file:
        for line in file:
            package, version, *rest = line.split()
            versions[package] = version
            if rest == ["system"]:
                of_system.add(package)
    return Install(versions, of_system, tree_size(os.path.join(directory, "installed")))


def tree_size(directory):
    """Returns the bytes of all files. Counts hard links once and does not follow symbolic links."""
    seen = {}
    for place, _, files in os.walk(directory):
        for name in files:
            status = os.lstat(os.path.join(place, name))
            seen[status.st_dev, status.st_ino] = status.st_size
    return sum(seen.values())


def entry(install):
    """Returns the entry of lock.json for an install."""
    pinned = {p: v for p, v in install.versions.items() if p not in install.of_system}
    found = {"versions": pinned}
    if not install.of_system:
        found["installed_bytes"] = install.size
    return found


def read(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def rewrite(path, installs, clients):
    """Writes lock.json from the installs. Keeps the entries of clients that did not run."""
    lock = {client: old for client, old in read(path).items() if client in clients}
    lock |= {client: entry(install) for client, install in installs.items()}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(dict(sorted(lock.items())), file, indent=2)
        file.write("\n")


def differences(path, client, install):
    """Returns a text for each difference between an install and lock.json."""
    wanted, found = read(path).get(client), entry(install)
    if wanted is None:
        return ["the client is not in lock.json"]
    faults = []
    if wanted["versions"] != found["versions"]:
        faults.append(f"locked at {wanted['versions']}, but {found['versions']} is installed")
    size, locked_size = found.get("installed_bytes"), wanted.get("installed_bytes")
    if size and locked_size and abs(size - locked_size) > SIZE_TOLERANCE * locked_size:
        faults.append(f"locked at {locked_size} bytes, but {size} are installed")
    return faults
