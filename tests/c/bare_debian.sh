#!/usr/bin/env bash
# Runs the example with a closed libdolmen_c.so in a root directory that has only Debian's libc6. Needs root on Debian.
# Usage, in the repository's root: bare_debian.sh build/c
set -euo pipefail
bundle=$(realpath "$1")
source tests/support/bare_root.sh

unpack libc6

cp -r "$bundle" "$root/dolmen"
cc -std=c99 -Wall -Wextra -Werror api/c/example.c -o "$root/example" -I"$bundle/include" \
  -L"$bundle/lib" -ldolmen_c -pthread -Wl,-rpath,/dolmen/lib
chroot "$root" /example
echo "PASS with $(cd "$root/packages" && echo *.deb)"
