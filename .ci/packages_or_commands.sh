#!/usr/bin/env bash
# Like packages.sh, for lists whose lines are "package" or "package  # command": the command may be
# there, and work, without Debian's package.  A command of one word need not run.
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
