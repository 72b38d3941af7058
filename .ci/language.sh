#!/usr/bin/env bash
# Installs the tools with which the package for a language is built and tested. Ends with an error and the
# reason if the machine cannot have them.
# Usage: language.sh c|go|java|javascript|python|rust
set -euo pipefail
cd "$(dirname "$0")/.."

case $1 in
  c) packages='' ;;
  go) packages='golang-go go' ;;
  java) packages=$'default-jdk-headless javac\nmaven mvn' ;;
  javascript) packages=$'nodejs node\nnpm npm' ;;
  python) packages=$'python3 python3\npython3-venv python3 -m ensurepip --version' ;;
  rust) packages='' ;;  # that of Debian is older than the AWS SDK needs
  *) echo "$1 is no language of api/bindings" && exit 2 ;;
esac
.ci/packages.sh <(echo "$packages")

if [[ $1 == rust ]]; then
  needed=$(sed -n 's/^rust-version = "\([0-9.]*\)".*/\1/p' api/bindings/rust/Cargo.toml)
  version=$(cargo --version 2>/dev/null | cut -d' ' -f2 || true)
  if [[ $(printf '%s\n' "$needed" "$version" | sort -V | head -1) != "$needed" ]]; then
    echo "The AWS SDK for Rust needs Rust $needed, and this machine has ${version:-none}. Install it by rustup."
    exit 1
  fi
fi
