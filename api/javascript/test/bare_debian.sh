#!/usr/bin/env bash
# Installs the package by npm and runs the first program of README.md in a root directory that has
# only Debian's Node.js with its dependencies. Needs root on Debian.
# Usage: bare_debian.sh PACKAGE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
package=$(realpath "$1")
if [[ $EUID -ne 0 ]] || ! command -v apt-get >/dev/null; then
  echo "bare_debian.sh needs root on Debian"
  exit 2
fi

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
mkdir "$root/packages"
chmod 777 "$root/packages"  # apt-get downloads as another user
# The newest Node.js of Debian, which is not always the installed one.
node=$(apt-cache madison nodejs | awk '/debian/ { print $3; exit }')
library=$(apt-cache show "nodejs=$node" | sed -n 's/^Depends:.*\(libnode[0-9]*\).*/\1/p' | head -1)
# dash is the shell of the scripts that npm starts. Packages without a version are virtual.
mapfile -t packages < <(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts \
  --no-breaks --no-replaces --no-enhances "$library" dash coreutils | grep -E '^[a-z0-9.+-]+$' |
  sort -u | grep -vE '^(debconf.*|cdebconf|perl.*|libperl.*|dpkg|tar|awk|mawk|gawk|debianutils)$')
(cd "$root/packages" && for name in "nodejs=$node" "${packages[@]}"; do
  apt-get download -q "$name" >/dev/null 2>&1 || true
done)
for file in "$root"/packages/*.deb; do dpkg-deb -x "$file" "$root"; done

mkdir -p "$root/program" "$root/tmp" "$root/dev"
# npm 10 is the newest for Node.js 18. Debian's package of npm has some hundred dependencies.
npm pack --silent --pack-destination "$root/tmp" npm@10 >/dev/null
tar -xzf "$root"/tmp/npm-*.tgz -C "$root/tmp"
cp "$package" "$root/program"
echo '{"type": "module"}' >"$root/program/package.json"
sed -n '/^\/\/ first.js/,/^```/p' "$here/../README.md" | grep -v '^```' >"$root/program/first.js"
in_root() { chroot "$root" /usr/bin/env -i -C /program HOME=/tmp PATH=/usr/bin:/bin "$@"; }
in_root /usr/bin/node /tmp/package/bin/npm-cli.js install --offline --no-audit --no-fund \
  --loglevel error "/program/$(basename "$package")"
in_root /usr/bin/node first.js
echo "PASS with Node.js $(in_root /usr/bin/node --version)"
