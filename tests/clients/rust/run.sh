#!/usr/bin/env bash
# Runs the tests that install.sh has built.
# Usage: run.sh BUILD_DIR
set -uo pipefail

log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$1/tests" | tee "$log"
status=${PIPESTATUS[0]}
passed=$(grep -c '^test .* \.\.\. ok$' "$log")
failed=$(grep -c '^test .* \.\.\. FAILED$' "$log")
echo "$passed passed, $failed failed"
((status == 0 && failed == 0 && passed > 0))
