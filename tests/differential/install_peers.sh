#!/usr/bin/env bash
# Installs DynamoDB Local and dynalite into a directory, and the packages that they need.
# Usage: install_peers.sh <directory>
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
directory=$1
mkdir -p "$directory"

"$here/../../.ci/packages.sh" "$here/../../.ci/packages-differential.txt"

# Installs a peer only if the file that names its version has changed since the last run.
if ! cmp -s "$here/pom.xml" "$directory/pom.xml"; then
  echo "Fetching DynamoDB Local"
  rm -rf "$directory/dynamodb-local"
  mvn -B -q -f "$here/pom.xml" dependency:copy-dependencies \
    -DoutputDirectory="$(cd "$directory" && pwd)/dynamodb-local"
  cp "$here/pom.xml" "$directory/pom.xml"
fi
if ! cmp -s "$here/package.json" "$directory/package.json" || [[ ! -d $directory/node_modules ]]; then
  echo "Fetching dynalite"
  cp "$here/package.json" "$directory/package.json"
  npm install --prefix "$directory" --no-audit --no-fund --loglevel error || {
    rm "$directory/package.json"
    exit 1
  }
fi
