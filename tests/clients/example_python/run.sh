#!/usr/bin/env bash
# Runs the tests of models/examples/python and of the README by pytest. Usage: run.sh BUILD_DIR
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
log=$(mktemp)
trap 'rm -f "$log"' EXIT

rm -rf "$1/tests"
cp -r "$here/../../../models/examples/python" "$1/tests"
"$here/../support/readme_block.sh" python >"$1/tests/test_readme.py"

"$1/installed/bin/python" -m pytest -v --color=no --rootdir "$1/tests" "$1/tests" | tee "$log"
status=$?
passed=$(grep -c ' PASSED ' "$log")
failed=$(grep -cE ' (FAILED|ERROR) ' "$log")
echo "$passed passed, $failed failed"
((status == 0 && failed == 0 && passed > 0))
