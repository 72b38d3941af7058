#!/usr/bin/env bash
# Installs the missing packages of the given list files.
# A line of a list file is "package" or "package  # command". If the command works, the script does
# not install the package. A command of one word works if the shell finds it. A command of several
# words works if it runs without an error.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

works() {
  (($# > 0)) && command -v "$1" >/dev/null && { (($# == 1)) || "$@" >/dev/null 2>&1; }
}

wanted=$(mktemp)
trap 'rm -f "$wanted"' EXIT
cat -- "$@" | while read -r package _ tool; do
  [[ -n $package && $package != \#* ]] || continue
  # shellcheck disable=SC2086  # the shell splits $tool into the words of the command
  works $tool || echo "$package"
done >"$wanted"
"$here/packages.sh" "$wanted"
