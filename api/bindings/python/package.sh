#!/usr/bin/env bash
# Builds the wheel, and unpacks it for the tests that run without an installation.
# `make packages` has built the C library before.
# Usage: package.sh C_LIBRARY_DIR OUT_DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
DOLMEN_C=$(cd "$1" && pwd)
export DOLMEN_C
mkdir -p "$2"
out=$(cd "$2" && pwd)

[[ -d $out/tools ]] || python3 -m venv "$out/tools"
rm -rf "$out"/dolmen-*.whl "$out/python"
"$out/tools/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-deps \
  --wheel-dir "$out" "$here"
python3 -m zipfile -e "$out"/dolmen-*.whl "$out/python"
ls -l "$out"/dolmen-*.whl
