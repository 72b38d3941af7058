#!/usr/bin/env bash
# Checks the format of the crate, and runs clippy and its tests.
# Usage: test.sh OUT_DIR_OF_PACKAGE_SH [NAME_OF_TEST...]
set -euo pipefail
out=$(cd "$1" && pwd)
shift
export CARGO_TARGET_DIR=$out/../cargo

cd "$out/rust"
cargo fmt --check
cargo clippy --locked --all-targets -- -D warnings
cargo test --locked -- "$@"
RUSTDOCFLAGS='-D warnings' cargo doc --locked --no-deps
