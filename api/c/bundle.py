#!/usr/bin/env python3
"""Puts a closed libdolmen_c.so, its header and the licenses of all that it contains into one directory.

  bundle.py build/closed/api/c/libdolmen_c.so SOURCES build/c
  bundle.py build/release/api/c/libdolmen_c.so open build/c

The second form takes a library that needs libraries of this machine, for tests on this machine alone. SOURCES is the directory that .ci/bundled.sh prints. The new directory has include/dolmen.h, lib/, licenses/ and
dolmen.cdx.json, a bill of materials in CycloneDX's format. It can be moved, and packages of other languages contain
lib/ as it is. The library needs a glibc that is as new as that of the machine that built it, and nothing else.
"""
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

BYTES_MAX = 12_000_000
ROOT = pathlib.Path(__file__).resolve().parents[2]
SYSTEM = re.compile(r'(?:ld-linux.*|lib(?:c|m|dl|rt|pthread))\.so\.\d+$')

# A part of the library: its name and version, its license as SPDX names it, the files with the license's text, and where
# its source is.
Part = collections.namedtuple('Part', 'name version spdx texts source')


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def installed(package):
    """Returns the version of a library that pkg-config knows."""
    return run('pkg-config', '--modversion', package).strip()


def parts(sources):
    """Returns all that a closed library contains."""
    here, common, doc = ROOT / 'LICENSE', pathlib.Path('/usr/share/common-licenses'), pathlib.Path('/usr/share/doc')
    version = re.search(r'project\(dolmen VERSION ([\d.]+)', (ROOT / 'CMakeLists.txt').read_text()).group(1)
    rocksdb, simdjson = re.search('rocksdb-(.*)-simdjson-(.*)', sources.name).groups()
    boost = re.search(r'BOOST_LIB_VERSION "(\d+_\d+)', pathlib.Path('/usr/include/boost/version.hpp').read_text())
    boost = boost.group(1).replace('_', '.')
    gcc = run(os.environ.get('CXX', 'c++'), '-dumpfullversion').strip()
    return [
        Part('dolmen', version, 'Apache-2.0', [here], 'this package'),
        Part('rocksdb', rocksdb, 'Apache-2.0', [sources / 'rocksdb/LICENSE.Apache', sources / 'rocksdb/LICENSE.leveldb'],
             'https://github.com/facebook/rocksdb'),
        Part('simdjson', simdjson, 'Apache-2.0', [sources / 'simdjson.license'], 'https://github.com/simdjson/simdjson'),
        Part('lz4', installed('liblz4'), 'BSD-2-Clause', [doc / 'liblz4-dev/copyright'], 'https://github.com/lz4/lz4'),
        Part('xxhash', installed('libxxhash'), 'BSD-2-Clause', [doc / 'libxxhash-dev/copyright'],
             'https://github.com/Cyan4973/xxHash'),
        Part('nettle', installed('nettle'), 'LGPL-3.0-or-later',
             [doc / 'nettle-dev/copyright', common / 'LGPL-3', common / 'GPL-3'],
             'https://www.lysator.liu.se/~nisse/nettle'),
        Part('boost', boost, 'BSL-1.0', [], 'https://www.boost.org'),  # asks for no text beside compiled code
        Part('libstdc++', gcc, 'GPL-3.0-or-later WITH GCC-exception-3.1',
             [doc / f'libstdc++-{gcc.split(".")[0]}-dev/copyright'], 'https://gcc.gnu.org'),
    ]


NOTICE = '''Dolmen {version} contains the following software. This directory has the text of each license.

{table}

Nettle is used under the GNU Lesser General Public License. Dolmen's source is complete: whoever wants another Nettle
in this library installs it, and builds the library again by `make packages LANGUAGES=c`.
'''


def write_licenses(contained, target):
    """Writes the texts of all licenses, and a table of the parts."""
    for part in contained:
        for text in part.texts:
            name = part.name if text.name in ('LICENSE', 'copyright') or len(part.texts) == 1 else f'{part.name}.{text.name}'
            shutil.copyfile(text, target / name)
    table = '\n'.join(f'{part.name:<10} {part.version:<8} {part.spdx:<40} {part.source}' for part in contained)
    (target / 'NOTICE').write_text(NOTICE.format(version=contained[0].version, table=table))


def write_bill(contained, path):
    """Writes a bill of materials."""
    def component(part):
        choice = 'expression' if ' ' in part.spdx else 'license'
        license = {choice: part.spdx if choice == 'expression' else {'id': part.spdx}}
        found = {'type': 'library', 'name': part.name, 'version': part.version, 'licenses': [license]}
        if part.source.startswith('https:'):
            found['externalReferences'] = [{'type': 'distribution', 'url': part.source}]
        return found
    bill = {'bomFormat': 'CycloneDX', 'specVersion': '1.5', 'version': 1,
            'metadata': {'component': component(contained[0])},
            'components': [component(part) for part in contained[1:]]}
    path.write_text(json.dumps(bill, indent=1) + '\n')


def faults(library):
    """Returns what a closed library must not have."""
    needed = re.findall(r'NEEDED.*\[(.*)\]', run('readelf', '-dW', library))
    found = [f'needs {name}' for name in needed if not SYSTEM.match(name)]
    exported = re.findall(r' [A-Zui] ([^@\s]+)', run('nm', '-D', '--defined-only', library))
    found += [f'exports {name}' for name in exported if not name.startswith(('dolmen_', 'DOLMEN_'))]
    size = library.stat().st_size
    return found + ([f'has {size} bytes, at most {BYTES_MAX}'] if size > BYTES_MAX else [])


def main():
    library, sources, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    is_closed = sys.argv[2] != 'open'
    shutil.rmtree(out, ignore_errors=True)
    for folder in ('include', 'lib', 'licenses'):
        (out / folder).mkdir(parents=True)
    shutil.copyfile(ROOT / 'api/c/dolmen.h', out / 'include/dolmen.h')
    shutil.copyfile(ROOT / 'LICENSE', out / 'licenses/dolmen')
    if is_closed:
        contained = parts(sources)
        write_licenses(contained, out / 'licenses')
        write_bill(contained, out / 'dolmen.cdx.json')
    bundled = out / 'lib' / library.name
    run('strip', '--strip-unneeded', '-o', bundled, library)
    glibc = max(re.findall(r'GLIBC_([\d.]+)', run('objdump', '-T', bundled)), key=lambda v: [int(n) for n in v.split('.')])
    print(f'{bundled.stat().st_size:>10} bytes {bundled.name}; needs glibc {glibc}')
    found = faults(bundled) if is_closed else []
    print(''.join(f'{library.name} {fault}\n' for fault in found), end='')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
