#!/usr/bin/env python3
"""Checks the shape of the source tree. Prints each violation, and exits with 1 if it finds one.

- A folder of the engine has at most 25 sources, and api/dolmen has at most 20 headers beside its folders.
- A source of engine, api and models includes the header of its own stem first.
- A source of engine and api has a test of the same folder and stem, or tested_elsewhere.txt names its tests.
- A relative link in a page, and a path in backquotes, names a file or folder that exists.
"""
import collections
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOM_SOURCES_MAX = 25
PUBLIC_HEADERS_MAX = 20
ELSEWHERE = 'tests/repository/tested_elsewhere.txt'

# Sources for which no header with the same stem is required, and the reason for each source.
HEADERLESS = {
    'api/command/main.cc': 'the entry of a program',
    'api/remote/connect.cc': 'implements Database::Connect (dolmen/database.h)',
    'api/javascript/native/addon.cc': 'the entry of a module of Node.js',
    'api/wire/endpoint.cc': 'implements the public header dolmen/wire.h',
    'models/demo/main.cc': 'the entry of a program',
    'models/demo/chat_tour.cc': 'one story of tours.h',
    'models/demo/course_tour.cc': 'one story of tours.h',
    'models/demo/org_tour.cc': 'one story of tours.h',
    'models/demo/patterns_tour.cc': 'one story of tours.h',
    'models/demo/user_tour.cc': 'one story of tours.h',
    'models/chat/inbox.cc': 'one subject of class Chat (chat.h)',
    'models/chat/messages.cc': 'one subject of class Chat (chat.h)',
    'models/org/names.cc': 'one subject of class Org (org.h)',
}


def room_faults(paths):
    sources = collections.Counter(os.path.dirname(path) for path in paths
                                  if path.startswith('engine/') and path.endswith(('.h', '.cc')))
    return [f'{room}: {count} sources, at most {ROOM_SOURCES_MAX}'
            for room, count in sources.items() if count > ROOM_SOURCES_MAX]


def public_header_faults(paths):
    count = sum(1 for path in paths if re.fullmatch(r'api/dolmen/[^/]*\.h', path))
    return [f'api/dolmen: {count} headers, at most {PUBLIC_HEADERS_MAX}'] if count > PUBLIC_HEADERS_MAX else []


def header_faults(paths, read):
    faults = []
    for path in paths:
        if not re.match(r'(engine|api|models)/.*\.cc$', path) or path in HEADERLESS:
            continue
        first = re.search(r'^#include [<"]([^>"]*)', read(path), re.M)
        stem = os.path.basename(path)[:-len('.cc')]
        if first is None or os.path.basename(first.group(1)) != stem + '.h':
            faults.append(f'{path}: does not include {stem}.h first')
    return faults + [f'{path}: is in the list of sources without header and does not exist'
                     for path in HEADERLESS if path not in paths]


def test_of(source):
    """Returns the path that the source's own test must have.

    For example, tests/wire/a_test.cc tests api/wire/a.cc.
    tests/api/a_test.cc tests api/dolmen/a.cc.
    """
    path = re.sub(r'^api/dolmen/entity/', 'entity/', source)
    path = re.sub(r'^api/dolmen/((design|testing)/)?', 'api/', path)
    path = re.sub(r'^api/(c|http|remote|wire|server|command)/', r'\1/', path)
    return 'tests/' + path[:-len('.cc')] + '_test.cc'


def test_faults(paths, elsewhere):
    """Returns the untested sources. `elsewhere` maps a source to the paths of its tests."""
    faults = []
    for path in paths:
        if not re.match(r'(engine|api)/.*\.cc$', path) or path.endswith('/main.cc'):
            continue
        own = test_of(path) in paths
        if own and path in elsewhere:
            faults.append(f'{ELSEWHERE}: {path} has a test of its own')
        if not own and path not in elsewhere:
            faults.append(f'{path}: has no test of its own stem and no line in {ELSEWHERE}')
    for source, named in elsewhere.items():
        for path in [source] + named:
            if path not in paths and not any(known.startswith(path + '/') for known in paths):
                faults.append(f'{ELSEWHERE}: {path} does not exist')
        if not named:
            faults.append(f'{ELSEWHERE}: {source} names no test')
    return faults


def link_faults(paths, read):
    faults = []
    for page in (path for path in paths if path.endswith('.md')):
        text = re.sub(r'^```.*?^```', '', read(page), flags=re.S | re.M)
        folder = os.path.dirname(page)
        for target in re.findall(r'\]\(([^)\s#]+)', text):
            if not re.match(r'[a-z]+:', target) and not os.path.exists(os.path.join(folder, target)):
                faults.append(f'{page}: links to {target}, which does not exist')
        for target in re.findall(r'`((?:api|engine|models|bench|tests|cmake|\.ci)/[\w./*-]*)`', text):
            if not glob.glob(target):
                faults.append(f'{page}: names {target}, which does not exist')
    return faults


def read_elsewhere(text):
    lines = [line.split() for line in text.splitlines() if line.strip() and not line.startswith('#')]
    return {words[0]: words[1:] for words in lines}


def selftest():
    """Checks that each rule finds a planted violation."""
    assert room_faults([f'engine/key/{number}.cc' for number in range(26)])
    assert public_header_faults([f'api/dolmen/{number}.h' for number in range(21)])
    assert not public_header_faults([f'api/dolmen/entity/{number}.h' for number in range(21)])
    listed = list(HEADERLESS)
    assert header_faults(listed + ['engine/key/a.cc'], lambda path: '#include "engine/key/b.h"\n')
    assert not header_faults(listed + ['api/dolmen/a.cc'], lambda path: '#include "dolmen/a.h"\n')
    assert header_faults(listed[1:], lambda path: '')
    source, test = 'engine/key/a.cc', 'tests/engine/key/a_test.cc'
    assert test_faults([source], {})
    assert not test_faults([source, test], {})
    assert test_faults([source, test], {source: [test]})
    assert test_faults([source], {source: []})
    assert test_faults([source], {source: ['tests/gone_test.cc']})
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, 'page.md')
        assert link_faults([page], lambda path: '[gone](gone.h)')
        assert link_faults([page], lambda path: 'see `engine/gone.cc`')
        assert not link_faults([page], lambda path: '[here](.) and [there](https://example.org)')


def main():
    selftest()
    listing = subprocess.run(['git', 'ls-files', '-z'], capture_output=True, text=True, check=True)
    paths = [path for path in listing.stdout.split('\0') if path and os.path.exists(path)]

    def read(path):
        with open(path, encoding='utf-8') as file:
            return file.read()

    elsewhere = read_elsewhere(read(ELSEWHERE))
    faults = (room_faults(paths) + public_header_faults(paths) + header_faults(paths, read) + test_faults(paths, elsewhere) +
              link_faults(paths, read))
    print(*faults, sep='\n')
    return len(faults) > 0


if __name__ == '__main__':
    sys.exit(main())
