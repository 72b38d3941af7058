#!/usr/bin/env bash
# Installs the servers that the bench compares with Dolmen into a directory. Also installs missing
# system packages, but not Rust.
#   install_peers.sh <directory>
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
directory=$1
mkdir -p "$directory"

"$here/../../.ci/packages.sh" "$here/../../.ci/packages-http.txt"

# Builds dynoxide from its crate. The binary that npm has was 2 to 3 times slower.
# cargo does nothing if this version is installed. The program calls version 3.2.0 of the crate 1.5.0.
command -v cargo >/dev/null || {
  echo "dynoxide is built from its crate: install Rust 1.88 or newer" >&2
  exit 1
}
cargo install --quiet --locked --version 3.2.0 --root "$directory" dynoxide-rs

# Downloads DynamoDB Local only if package-lock.json has changed since the last installation.
if ! cmp -s "$here/package-lock.json" "$directory/package-lock.json" ||
  [[ ! -d $directory/node_modules ]]; then
  echo "Fetching DynamoDB Local"
  rm -f "$directory/package-lock.json"
  cp "$here/package.json" "$here/package-lock.json" "$directory"
  npm ci --prefix "$directory" --ignore-scripts --no-audit --no-fund --loglevel error || {
    rm "$directory/package-lock.json"
    exit 1
  }
fi
