#!/usr/bin/env bash
# Copies the Go module and puts the C library into it, so that `go build` needs no settings.
# `make packages` has built the C library before.
# Usage: package.sh C_LIBRARY_DIR OUT_DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
library=$1
out=$2/go

rm -rf "$out"
mkdir -p "$out"
cp -r "$here"/. "$out"
rm "$out"/*.sh
# Go ignores these files when it compiles, and `go mod vendor` copies them with the package.
cp "$library/include/dolmen.h" "$library"/lib/* "$out/internal/native"
cp -r "$library/licenses" "$out"
echo "$out"
