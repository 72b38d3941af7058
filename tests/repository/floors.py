#!/usr/bin/env python3
"""Prints the picture of the includes between folders, and fails if an include goes up or in a circle.

A floor may include itself, the floors below it, and the public headers of api/include/dolmen.
Usage, in the repository's root: floors.py [--edges]   (--edges also lists the includes between the folders)
"""
import collections
import os
import re
import subprocess
import sys

# Each floor and the floors that it may include, from the bottom to the top. The longest matching folder counts.
FLOORS = {
    'api/include': [],
    'engine': ['api/include'],
    'api/database': ['engine', 'api/include'],
    'api/entity': ['api/database', 'engine', 'api/include'],
    'api/design': ['api/entity', 'api/database', 'engine', 'api/include'],
    'api/wire': ['api/database', 'engine', 'api/include'],
    'api/workbench': ['api/wire', 'api/entity', 'engine', 'api/include'],
    'api/http': ['engine', 'api/include'],
    'api/remote': ['api/wire', 'api/http', 'api/database', 'engine', 'api/include'],
    'api/server': ['api/wire', 'api/http', 'api/database', 'engine', 'api/include'],
    'api/command': ['api/server', 'api/remote', 'api/wire', 'api/http', 'api/database', 'engine', 'api/include'],
    'api/c': ['api/wire', 'api/database', 'engine', 'api/include'],
    'api/bindings': ['api/c'],
    'models': ['api/include'],
}

# The floors in which no byte and no number may depend on the locale of the process.
LIBRARY = ('engine/', 'api/database/', 'api/entity/', 'api/design/', 'api/wire/', 'api/http/', 'api/remote/')

# This file of them flushes std::cout, and prints nothing.
FLUSHES = 'engine/storage/rocks_process.cc'

# The public headers of the floors above the engine: it uses the other public headers, which are vocabulary.
HANDLES = re.compile(r'api/include/dolmen/((database|dolmen|entity|table|wire)\.h|(entity|design|testing)/.*)')


def floor_of(path):
    return next((floor for floor in FLOORS if path.startswith(floor + '/')), None)


def includes(paths, read):
    """Returns the pairs of an including file and an included file of the repository."""
    known = set(paths)
    pairs = []
    for path in paths:
        for name in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', read(path), re.M):
            beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
            for candidate in (name, 'api/' + name, 'api/include/' + name, beside):
                if candidate in known:
                    pairs.append((path, candidate))
                    break
    return pairs


def faults(paths, pairs, read):
    """Returns the includes that go up, the circles of files, RocksDB above the engine, and what follows the locale."""
    found = []
    for path, included in pairs:
        source, target = floor_of(path), floor_of(included)
        if source != target and target not in FLOORS[source]:
            found.append(f'{path} includes {included}: {source} may include only itself and '
                         f'{", ".join(FLOORS[source]) or "nothing"}')
    graph = collections.defaultdict(list)
    for path, included in pairs:
        graph[path].append(included)
    found += [f'circle: {" -> ".join(circle)}' for circle in circles(graph)]
    found += [f'{path} reaches {handle}, a handle above the engine'
              for path in paths if path.startswith('engine/')
              for handle in sorted(reached(graph, path)) if HANDLES.fullmatch(handle)]
    found += [f'{path}: only the engine includes RocksDB' for path in paths
              if not path.startswith('engine/') and re.search(r'#\s*include\s*[<"]rocksdb/', read(path))]
    found += [f'{path} includes <{name}>, whose functions follow the locale of the process'
              for path in paths if path.startswith(LIBRARY) and path != FLUSHES
              for name in re.findall(r'#\s*include\s*<(cctype|clocale|ctime|iomanip|iostream|istream|locale|ostream|regex|sstream)>', read(path))]
    return found


def reached(graph, start):
    """Returns the files that `start` includes, directly or through other files."""
    seen, waiting = set(), [start]
    while waiting:
        for target in graph.get(waiting.pop(), []):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen


def circles(graph):
    """Returns a circle for each file that reaches itself first in a depth-first walk."""
    done, found = set(), []

    def walk(node, path):
        if node in path:
            found.append(path[path.index(node):] + [node])
        elif node not in done:
            for target in graph.get(node, []):
                walk(target, path + [node])
            done.add(node)

    for start in sorted(graph):
        walk(start, [])
    return found


def picture(pairs):
    """Returns a line for each floor: its includes of other floors, with their number."""
    counts = collections.Counter((floor_of(path), floor_of(included)) for path, included in pairs)
    lines = []
    for floor in reversed(FLOORS):
        below = [f'{target} ({counts[floor, target]})' for target in FLOORS[floor] if counts[floor, target]]
        lines.append(f'{floor:13} -> {", ".join(below) or "-"}')
    return lines


def self_test():
    """Plants one fault of each kind."""
    texts = {'api/include/dolmen/table.h': '', 'engine/key/key.h': '#include "database/up.h"\n',
             'api/database/up.h': '#include <dolmen/table.h>\n', 'models/a/a.h': '#include "engine/key/key.h"\n',
             'api/wire/a.h': '#include "wire/b.h"\n', 'api/wire/b.h': '#include "wire/a.h"\n',
             'api/wire/c.cc': '#  include <rocksdb/db.h>\n', 'engine/a.cc': '#include "engine/b.h"\n#include <sstream>\n',
             'engine/b.h': '#include "dolmen/a.h"\n', 'api/include/dolmen/a.h': '#include "dolmen/wire.h"\n',
             'api/include/dolmen/wire.h': ''}
    found = faults(list(texts), includes(list(texts), texts.get), texts.get)
    assert len(found) == 8, found


def main():
    self_test()
    listed = subprocess.check_output(['git', 'ls-files', '*.h', '*.cc', '*.c'], text=True).split()
    paths = [path for path in listed if floor_of(path) and os.path.exists(path)]
    texts = {path: open(path, encoding='utf-8').read() for path in paths}
    pairs = includes(paths, texts.get)
    print('\n'.join(picture(pairs)))
    if '--edges' in sys.argv:
        rooms = collections.Counter((os.path.dirname(a), os.path.dirname(b)) for a, b in pairs)
        for (a, b), count in sorted(rooms.items()):
            if a != b:
                print(f'  {a} -> {b} ({count})')
    found = faults(paths, pairs, texts.get)
    print('\n'.join(found))
    sys.exit(bool(found))


if __name__ == '__main__':
    main()
