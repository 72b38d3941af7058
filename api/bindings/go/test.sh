#!/usr/bin/env bash
# Checks the format of the Go module, and runs its tests, also with the race detector.
# Usage: test.sh OUT_DIR_OF_PACKAGE_SH [OPTION_OF_GO_TEST...]
set -euo pipefail
out=$1/go
shift

unformatted=$(gofmt -l "$out")
if [[ -n $unformatted ]]; then
  echo "gofmt must format $unformatted"
  exit 1
fi
for module in "$out" "$out/dolmenaws"; do
  cd "$module"
  go vet ./...
  go test "$@" ./...
  go test -race "$@" ./...
  cd "$OLDPWD"
done
