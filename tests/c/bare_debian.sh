#!/usr/bin/env bash
# Runs the example with a bundled libdolmen_c.so in a root directory that has only Debian's libc6,
# libgcc-s1 and libstdc++6. Needs root on Debian.
# Usage, in the repository's root: bare_debian.sh build/c
set -euo pipefail
bundle=$(realpath "$1")
if [[ $EUID -ne 0 ]] || ! command -v apt-get >/dev/null; then
  echo "bare_debian.sh needs root on Debian"
  exit 2
fi

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
mkdir "$root/packages"
chmod 777 "$root/packages"  # apt-get downloads as another user
(cd "$root/packages" && apt-get download -q libc6 libgcc-s1 libstdc++6)
for package in "$root"/packages/*.deb; do dpkg-deb -x "$package" "$root"; done

cp -r "$bundle" "$root/dolmen"
cc -std=c99 -Wall -Wextra -Werror api/c/example.c -o "$root/example" -I"$bundle/include" \
  -L"$bundle/lib" -ldolmen_c -pthread -Wl,-rpath,/dolmen/lib -Wl,-rpath-link,"$bundle/lib"
chroot "$root" /example
echo "PASS with $(cd "$root/packages" && echo *.deb)"
