#!/usr/bin/env bash
# Checks the names that a library exports: none begins with $2, and one begins with $3.
# Usage: symbols.sh library hidden exported
set -euo pipefail
# Removes the address and the kind of each symbol.
names=$(nm -DC --defined-only "$1" |
  sed -E 's/^[0-9a-f]+ . //; s/^(vtable|VTT|typeinfo|typeinfo name|guard variable) for //')
if grep "^$2" <<<"$names"; then
  echo "$1 exports these symbols, but must not"
  exit 1
fi
grep -q "^$3" <<<"$names" || { echo "$1 does not export $3"; exit 1; }
