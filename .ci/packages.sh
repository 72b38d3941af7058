#!/usr/bin/env bash
# Installs the Debian packages that the given list files name. Does nothing if all of these packages
# are installed.
set -euo pipefail

wanted=$(cat -- "$@" | sed 's/#.*//' | xargs)

if ! command -v apt-get >/dev/null; then
  echo "This machine has no apt-get. Install the equivalents of these Debian packages: $wanted"
  exit 0
fi

missing=()
for package in $wanted; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

as_root=()
if [[ $EUID -ne 0 ]]; then as_root=(sudo); fi
echo "Installing ${missing[*]}"
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -q -y --no-install-recommends "${missing[@]}"
