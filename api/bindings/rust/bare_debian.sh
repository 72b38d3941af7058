#!/usr/bin/env bash
# Compiles the first program of README.md, and runs it with the C library in a root directory that has
# only Debian's libc6 and libgcc-s1. Needs root on Debian.
# Usage: bare_debian.sh OUT_DIR_OF_PACKAGE_SH
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "$1" && pwd)
source "$here/../../../tests/support/bare_root.sh"

unpack libc6 libgcc-s1

export CARGO_TARGET_DIR=$out/../cargo
cargo build --locked --manifest-path "$out/rust/Cargo.toml" --features aws --example first
mkdir -p "$root/program" "$root/proc/self"
cp "$CARGO_TARGET_DIR/debug/examples/first" "$out"/rust/native/*.so* "$root/program"
# The path from which a program learns its own directory. The root has no other file of /proc.
ln -s /program/first "$root/proc/self/exe"
env -i /usr/sbin/chroot "$root" /program/first
echo "PASS with $(cd "$root/packages" && echo *.deb)"
