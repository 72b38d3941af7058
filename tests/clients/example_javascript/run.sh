#!/usr/bin/env bash
# Runs the tests of models/examples/javascript and of the README by Vitest. Usage: run.sh BUILD_DIR
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Node looks for packages in the directories above the importing file. The packages are in
# BUILD_DIR, so the tests are copied there.
rm -rf "$1/tests"
cp -r "$here/../../../models/examples/javascript" "$1/tests"
"$here/../support/readme_block.sh" js >"$1/tests/readme.test.mjs"

cd "$1/tests" && NO_COLOR=1 ../node_modules/.bin/vitest run --reporter=verbose | tee "$log"
status=$?
passed=$(grep -c '^ *✓' "$log")
failed=$(grep -c '^ *×' "$log")
echo "$passed passed, $failed failed"
((status == 0 && failed == 0 && passed > 0))
