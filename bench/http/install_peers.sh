#!/usr/bin/env bash
# Installs the servers that the bench compares with Dolmen into a directory. Also installs missing
# system packages.
#   install_peers.sh <directory>
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
directory=$1
mkdir -p "$directory"

"$here/../../.ci/packages_or_commands.sh" "$here/../../.ci/packages-http.txt"

# Downloads the servers only if package-lock.json has changed since the last installation.
if ! cmp -s "$here/package-lock.json" "$directory/package-lock.json" ||
  [[ ! -d $directory/node_modules ]]; then
  echo "Fetching the peers"
  rm -f "$directory/package-lock.json"
  cp "$here/package.json" "$here/package-lock.json" "$directory"
  npm ci --prefix "$directory" --ignore-scripts --no-audit --no-fund --loglevel error || {
    rm "$directory/package-lock.json"
    exit 1
  }
fi
