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
version=$(sed -n 's/^project(dolmen VERSION \([0-9.]*\).*/\1/p' "$here/../../../CMakeLists.txt")
sed -i "0,/^version = \"0.0.0\"/s//version = \"$version\"/" "$out"/Cargo.{toml,lock}
cp -r "$library/lib" "$out/native"
cp -r "$library/licenses" "$out"
echo "$out"
