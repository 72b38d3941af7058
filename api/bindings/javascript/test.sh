#!/usr/bin/env bash
# Installs the package into a new project and runs its tests.
# Usage: test.sh OUT_DIR_OF_PACKAGE_SH [FILE_OF_TEST...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "$1" && pwd)
shift

project=$out/javascript-test
mkdir -p "$project"
if ! cmp -s "$here/test/package-lock.json" "$project/package-lock.json"; then
  cp "$here/test/package.json" "$here/test/package-lock.json" "$project"
  npm ci --prefix "$project" --ignore-scripts --no-audit --no-fund --loglevel error || {
    rm "$project/package-lock.json"
    exit 1
  }
fi
rm -rf "$project/node_modules/dolmen" "$project/test"
npm install --prefix "$project" --offline --no-save --ignore-scripts --no-audit \
  --no-fund --loglevel error "$out"/dolmen-*.tgz
mkdir "$project/test"
cp "$here"/test/*.mjs "$here"/test/*.ts "$here/README.md" "$project/test"
cd "$project"
node_modules/.bin/tsc --noEmit --strict --target es2022 --module nodenext --skipLibCheck test/*.ts
if [[ $# -eq 0 ]]; then set -- test/*.test.mjs; fi
exec node --test "$@"
