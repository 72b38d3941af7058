#!/usr/bin/env bash
# Installs missing packages like packages.sh.
# A line of a list is "package" or "package  # command". A package counts as installed if its
# command works without it: a command of one word must be found, and a command of several words must
# run without an error.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

works() {
  (($# > 0)) && command -v "$1" >/dev/null && { (($# == 1)) || "$@" >/dev/null 2>&1; }
}

wanted=$(mktemp)
trap 'rm -f "$wanted"' EXIT
cat -- "$@" | while read -r package _ tool; do
  [[ -n $package && $package != \#* ]] || continue
  # shellcheck disable=SC2086  # words
  works $tool || echo "$package"
done >"$wanted"
"$here/packages.sh" "$wanted"
