#!/usr/bin/env bash
# Installs the wheel and runs the first program of README.md in a root directory that has only
# Debian's Python and pip with their dependencies. Needs root on Debian.
# Usage: bare_debian.sh OUT_DIR_OF_PACKAGE_SH
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
wheel=$(realpath "$1"/dolmen-*.whl)
source "$here/../../../tests/support/bare_root.sh"

# dash is the shell of the scripts that pip starts.
mapfile -t packages < <(with_dependencies python3 python3-pip-whl dash)
unpack "${packages[@]}"
# pip of Debian 13 loads this file at its start. The installation of ca-certificates writes it.
mkdir -p "$root/etc/ssl/certs"
cat "$root"/usr/share/ca-certificates/mozilla/*.crt >"$root/etc/ssl/certs/ca-certificates.crt"

mkdir -p "$root/program" "$root/tmp" "$root/dev"
cp "$wheel" "$root/program"
sed -n '/^# first.py/,/^```/p' "$here/README.md" | grep -v '^```' |
  sed '/boto3 is installed/,$d' >"$root/program/first.py"
pip=$(cd "$root" && echo usr/share/python-wheels/pip-*.whl)
chroot "$root" /usr/bin/python3 "/$pip/pip" install --quiet --no-index --no-cache-dir \
  --root-user-action=ignore --target /program/packages "/program/$(basename "$wheel")"
PYTHONPATH=/program/packages chroot "$root" /usr/bin/python3 /program/first.py
echo "PASS with $(chroot "$root" /usr/bin/python3 --version)"
