#!/usr/bin/env bash
# Fetches the crates and builds the tests. If DOLMEN_IN_PROCESS names the directory of the packages, the
# tests use the C library in its crate. Programs for Rust share the directory build/cargo, because the
# SDK takes minutes to compile.
# Usage: install.sh BUILD_DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
directory=$1
export CARGO_TARGET_DIR=$directory/../../cargo
cd "$here"

features=()
if [[ -n ${DOLMEN_IN_PROCESS:-} ]]; then
  export DOLMEN_LIB_DIR=$DOLMEN_IN_PROCESS/rust/native
  features=(--features in_process)
fi
cargo test --locked --no-run "${features[@]}" --message-format=json >"$directory/build.json"
cp "$(jq -r 'select(.profile.test) | .executable' "$directory/build.json")" "$directory/tests"

# Copies the SDK's sources. run.py reports the size of these sources as the size of the SDK, because
# the size of a program depends on the compiler.
rm -rf "$directory/installed" "$directory/versions"
mkdir "$directory/installed"
cargo metadata --locked --format-version=1 |
  jq -r '.packages[] | select(.name | test("^(aws-sdk-dynamodb(streams)?|aws-smithy-http-client|tokio)$"))
    | "\(.name) \(.version) \(.manifest_path)"' |
  while read -r name version manifest; do
    echo "$name $version" >>"$directory/versions"
    [[ $name != aws-sdk-* ]] || cp -r "$(dirname "$manifest")" "$directory/installed"
  done
