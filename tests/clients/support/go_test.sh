#!/usr/bin/env bash
# Runs the tests that go_install.sh has built. The client's run.sh calls this script.
# Usage: go_test.sh BUILD_DIR
set -uo pipefail

log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$1/tests" -test.v | tee "$log"
status=$?
passed=$(grep -c '^--- PASS:' "$log")
failed=$(grep -c '^--- FAIL:' "$log")
echo "$passed passed, $failed failed"
((status == 0 && failed == 0 && passed > 0))
