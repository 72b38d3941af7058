#!/usr/bin/env bash
# Checks the format of the crate, and runs clippy and its tests, with the SDK and without it.
# Usage: test.sh OUT_DIR_OF_PACKAGE_SH [NAME_OF_TEST...]
set -euo pipefail
out=$(cd "$1" && pwd)
shift
export CARGO_TARGET_DIR=$out/../cargo

cd "$out/rust"
cargo fmt --check
for features in --no-default-features --all-features; do
  cargo clippy --locked "$features" --all-targets -- -D warnings
  cargo test --locked "$features" -- "$@"
done
RUSTDOCFLAGS='-D warnings' cargo doc --locked --all-features --no-deps
