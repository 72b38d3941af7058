#!/usr/bin/env bash
# Installs a client from npm. The client's install.sh calls this script.
# Usage: npm_install.sh CLIENT_DIR BUILD_DIR
set -euo pipefail
client=$1
build=$2
installed=$build/installed

if ! cmp -s "$client/package-lock.json" "$installed/package-lock.json"; then
  rm -rf "$installed"
  mkdir -p "$installed"
  cp "$client/package.json" "$installed"
  cp "$client/package-lock.json" "$installed"
  # Skips the install scripts of the packages, because no package needs its script.
  npm ci --prefix "$installed" --ignore-scripts --no-audit --no-fund --loglevel error || {
    rm "$installed/package-lock.json"
    exit 1
  }
fi
ln -sfn installed/node_modules "$build/node_modules"

node --input-type=module - "$installed" >"$build/versions" <<'END'
import { readFileSync } from 'node:fs';
const [, , installed] = process.argv;
const read = (path) => JSON.parse(readFileSync(`${installed}/${path}`, 'utf8'));
for (const name of Object.keys(read('package.json').dependencies)) {
  console.log(name, read(`node_modules/${name}/package.json`).version);
}
END
