#!/usr/bin/env bash
# Installs the wheel and runs the first program of README.md in a root directory that has only
# Debian's Python, pip and libstdc++ with their dependencies. Needs root on Debian.
# Usage: bare_debian.sh WHEEL
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
wheel=$(realpath "$1")
if [[ $EUID -ne 0 ]] || ! command -v apt-get >/dev/null; then
  echo "bare_debian.sh needs root on Debian"
  exit 2
fi

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
mkdir "$root/packages"
chmod 777 "$root/packages"  # apt-get downloads as another user
# dash is the shell of the scripts that pip starts. Packages without a version are virtual.
mapfile -t packages < <(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts \
  --no-breaks --no-replaces --no-enhances python3 python3-pip-whl libstdc++6 dash |
  grep -E '^[a-z0-9.+-]+$' | sort -u |
  grep -vE "^(debconf.*|cdebconf|perl.*|libperl.*|dpkg|tar|awk|mawk|gawk|original-awk)\$")
(cd "$root/packages" && for package in "${packages[@]}"; do
  apt-get download -q "$package" >/dev/null 2>&1 || true
done)
for package in "$root"/packages/*.deb; do dpkg-deb -x "$package" "$root"; done

mkdir -p "$root/program" "$root/tmp" "$root/dev"
cp "$wheel" "$root/program"
sed -n '/^# first.py/,/^```/p' "$here/../README.md" | grep -v '^```' |
  sed '/boto3 is installed/,$d' >"$root/program/first.py"
pip=$(cd "$root" && echo usr/share/python-wheels/pip-*.whl)
chroot "$root" /usr/bin/python3 "/$pip/pip" install --quiet --no-index --no-cache-dir \
  --root-user-action=ignore --target /program/packages "/program/$(basename "$wheel")"
PYTHONPATH=/program/packages chroot "$root" /usr/bin/python3 /program/first.py
echo "PASS with $(chroot "$root" /usr/bin/python3 --version)"
