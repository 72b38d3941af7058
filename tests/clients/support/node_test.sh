#!/usr/bin/env bash
# Runs the tests of a client from npm. The client's run.sh calls this script.
# Usage: node_test.sh CLIENT_DIR BUILD_DIR
set -euo pipefail
client=$1
build=$2
here=$(cd "$(dirname "$0")" && pwd)

# Node looks for packages in the directories above the importing file. The packages are in
# BUILD_DIR, so the tests are copied there.
tests=$build/tests
rm -rf "$tests"
mkdir -p "$tests/client" "$tests/support"
cp "$client"/*.mjs "$tests/client"
cp "$here"/*.mjs "$tests/support"

# The directory for the files that a test leaves for inspection.
export CLIENT_BUILD=$build
exec node --test --test-reporter="$tests/support/reporter.mjs" "$tests"/client/*.test.mjs
