#!/usr/bin/env bash
# Copies the crate and puts the C library into it, so that `cargo build` needs no settings.
# `make packages` has built the C library before.
# Usage: package.sh C_LIBRARY_DIR OUT_DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
library=$1
out=$2/rust

rm -rf "$out"
mkdir -p "$out"
cp -r "$here"/. "$out"
rm "$out"/*.sh
cp -r "$library/lib" "$out/native"
cp -r "$library/licenses" "$out"
echo "$out"
