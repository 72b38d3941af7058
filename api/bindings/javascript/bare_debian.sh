#!/usr/bin/env bash
# Installs the package by npm and runs the first program of README.md in a root directory that has
# only Debian's Node.js with its dependencies. Needs root on Debian.
# Usage: bare_debian.sh OUT_DIR_OF_PACKAGE_SH
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
package=$(realpath "$1"/dolmen-*.tgz)
source "$here/../../../tests/support/bare_root.sh"

# The newest Node.js of Debian, which is not always the installed one.
node=$(apt-cache madison nodejs | awk '/debian/ { print $3; exit }')
library=$(apt-cache show "nodejs=$node" | sed -n 's/^Depends:.*\(libnode[0-9]*\).*/\1/p' | head -1)
# dash is the shell of the scripts that npm starts.
mapfile -t packages < <(with_dependencies "$library" dash coreutils)
unpack "nodejs=$node" "${packages[@]}"

mkdir -p "$root/program" "$root/tmp" "$root/dev"
# npm 10 is the newest for Node.js 18. Debian's package of npm has some hundred dependencies.
npm pack --silent --pack-destination "$root/tmp" npm@10 >/dev/null
tar -xzf "$root"/tmp/npm-*.tgz -C "$root/tmp"
cp "$package" "$root/program"
echo '{"type": "module"}' >"$root/program/package.json"
sed -n '/^\/\/ first.js/,/^```/p' "$here/README.md" | grep -v '^```' >"$root/program/first.js"
in_root() { chroot "$root" /usr/bin/env -i -C /program HOME=/tmp PATH=/usr/bin:/bin "$@"; }
in_root /usr/bin/node /tmp/package/bin/npm-cli.js install --offline --no-audit --no-fund \
  --loglevel error "/program/$(basename "$package")"
in_root /usr/bin/node first.js
echo "PASS with Node.js $(in_root /usr/bin/node --version)"
