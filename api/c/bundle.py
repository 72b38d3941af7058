#!/usr/bin/env python3
"""Puts libdolmen_c.so, its header and the libraries that it needs into one directory.

  bundle.py build/release/api/c/libdolmen_c.so build/c

The directory has include/dolmen.h, lib/ and licenses/. It can be moved, and packages of other languages
contain lib/ as it is. The libraries need a glibc and a libstdc++ that are as new as those of this machine,
and nothing else.

- libdolmen_c.so finds the others in its own directory, because it is linked with the path $ORIGIN. That
  path is a DT_RPATH, which also holds for the libraries that the others need.
- The others get names of their own: libzstd.so.1 becomes dlmzstd.so.1. A process loads one library for
  each name. Under the old names, another part of the process would get our copies, or we would get its
  copies. The new names are as long as the old ones, so they are written over the old ones in place.
- libstdc++ is not bundled. RocksDB's library needs a shared libstdc++, and a process must not have two.
"""
import pathlib
import re
import shutil
import subprocess
import sys

BYTES_MAX = 20_000_000
# The libraries of each Linux system with glibc and GCC's libstdc++.
SYSTEM = re.compile(r'(?:ld-linux.*|lib(?:c|m|dl|rt|pthread|stdc\+\+|gcc_s))\.so\.\d+$')


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def needed(library):
    """Returns the paths of the libraries that a library needs, directly and indirectly, by name."""
    found = re.findall(r'(\S+) => (/\S+)', run('ldd', library))
    return {name: pathlib.Path(path).resolve() for name, path in found}


def rename(library, names):
    """Replaces names of libraries in an ELF file: its own, those it needs, and those of needed versions."""
    offset, size = (int(number, 16) for number in re.search(
        r' \.dynstr +STRTAB +\w+ (\w+) (\w+) ', run('readelf', '-SW', library)).groups())
    data = bytearray(library.read_bytes())
    strings = bytes(data[offset:offset + size])
    for old, new in names.items():
        strings = strings.replace(b'\0%s\0' % old.encode(), b'\0%s\0' % new.encode())
    assert len(strings) == size
    data[offset:offset + size] = strings
    library.write_bytes(data)


def bundle(library, target):
    """Copies the library and the libraries that it needs. Returns the paths of the originals."""
    originals = {name: path for name, path in needed(library).items() if not SYSTEM.match(name)}
    names = {name: re.sub('^lib', 'dlm', name) for name in originals}
    for name, path in [(library.name, library), *originals.items()]:
        copy = target / names.get(name, name)
        shutil.copyfile(path, copy)
        run('strip', '--strip-unneeded', copy)
        rename(copy, names)
    return list(originals.values())


def copy_license(path, target):
    """Copies the license of the Debian package that has the library."""
    # dpkg knows /usr/lib as /lib.
    names = [str(path), str(path).removeprefix('/usr')]
    owners = [subprocess.run(['dpkg', '-S', name], capture_output=True, text=True).stdout for name in names]
    package = ''.join(owners).split(':')[0]
    shutil.copyfile(f'/usr/share/doc/{package}/copyright', target / package)


def check(library):
    """Returns the faults of a bundled library."""
    faults = [f'{library.name} finds {name} at {path}' for name, path in needed(library).items()
              if not SYSTEM.match(name) and path.parent != library.parent]
    faults += [line.strip() for line in run('ldd', '-r', library).splitlines()
               if 'not found' in line or 'undefined symbol' in line]
    if '[$ORIGIN]' not in run('readelf', '-d', library):
        faults.append(f'{library.name} does not look for libraries in $ORIGIN alone')
    size = sum(file.stat().st_size for file in library.parent.iterdir())
    return faults + ([f'{size} bytes, at most {BYTES_MAX}'] if size > BYTES_MAX else [])


def newest_version(libraries, prefix):
    """Returns the newest version of glibc or libstdc++ that the libraries ask for."""
    found = set()
    for library in libraries:
        found |= set(re.findall(rf'\b{prefix}_([\d.]+)', run('objdump', '-T', library)))
    return max(found, key=lambda version: [int(part) for part in version.split('.')])


def main():
    library, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    shutil.rmtree(out, ignore_errors=True)
    for folder in ('include', 'lib', 'licenses'):
        (out / folder).mkdir(parents=True)
    here = pathlib.Path(__file__).resolve().parent
    shutil.copyfile(here / 'dolmen.h', out / 'include/dolmen.h')
    shutil.copyfile(here.parent.parent / 'LICENSE', out / 'licenses/dolmen')
    for path in bundle(library, out / 'lib'):
        copy_license(path, out / 'licenses')
    bundled = sorted((out / 'lib').iterdir())
    for path in bundled:
        print(f'{path.stat().st_size:>10} {path.name}')
    print(f'{sum(path.stat().st_size for path in bundled):>10} bytes; needs glibc '
          f'{newest_version(bundled, "GLIBC")} and GLIBCXX_{newest_version(bundled, "GLIBCXX")}')
    faults = check(out / 'lib' / library.name)
    print(''.join(f'{fault}\n' for fault in faults), end='')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
