#!/usr/bin/env bash
# The run.sh of a client from npm.  node_test.sh CLIENT_DIR BUILD_DIR
set -euo pipefail
client=$1
build=$2
here=$(cd "$(dirname "$0")" && pwd)

# Node looks for packages above the file that imports them, and these are in BUILD_DIR.
tests=$build/tests
rm -rf "$tests"
mkdir -p "$tests/client" "$tests/support"
cp "$client"/*.mjs "$tests/client"
cp "$here"/*.mjs "$tests/support"

# Where a test leaves what is to be looked at.
export CLIENT_BUILD=$build
exec node --test --test-reporter="$tests/support/reporter.mjs" "$tests"/client/*.test.mjs
