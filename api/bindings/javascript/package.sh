#!/usr/bin/env bash
# Builds the package of npm, and unpacks it for the tests that run without an installation.
# `make packages` has built the C library before.
# Usage: package.sh C_LIBRARY_DIR OUT_DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
built=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
headers=1.9.0  # of node-api-headers, which has the headers of Node-API

tools=$out/node-api-headers-$headers
if [[ ! -d $tools ]]; then
  npm install --silent --no-save --no-package-lock --ignore-scripts --prefix "$tools" \
    "node-api-headers@$headers"
fi

package=$out/javascript
rm -rf "$package" "$out"/dolmen-*.tgz
mkdir -p "$package"
cp -r "$here/src" "$here/README.md" "$package"
cp -r "$built/lib" "$built/licenses" "$package"
cp "$here/../../../LICENSE" "$package"
"$here/native/build.sh" "$built" "$tools/node_modules/node-api-headers/include" "$package/lib"
version=$(sed -n 's/^project(dolmen VERSION \([0-9.]*\).*/\1/p' "$here/../../../CMakeLists.txt")
# `npm install` refuses to install the package on another processor.
sed -e "s/\"version\": \"0.0.0\"/\"version\": \"$version\"/" \
  -e "s/\"os\": .*/&\n  \"cpu\": [\"$(node -p process.arch)\"],/" "$here/package.json" \
  >"$package/package.json"
npm pack --silent --pack-destination "$out" "$package"
ls -l "$out"/dolmen-*.tgz
