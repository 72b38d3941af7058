#!/usr/bin/env bash
# Runs the tests that install.sh has built into a directory. Usage: run.sh <directory>
set -uo pipefail

log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$1/users_test" -test.v | tee "$log"
status=$?
passed=$(grep -c '^--- PASS:' "$log")
failed=$(grep -c '^--- FAIL:' "$log")
echo "$passed passed, $failed failed"
((status == 0 && failed == 0 && passed > 0))
