#!/usr/bin/env bash
# Installs the missing Debian packages of the given list files. A line of a list file is "package", or
# "package command": then a machine on which the command runs does not need the package. A command of one
# word runs if the shell finds it. A command of several words runs if it ends without an error.
set -euo pipefail

works() {
  (($# > 0)) && command -v "$1" >/dev/null && { (($# == 1)) || "$@" >/dev/null 2>&1; }
}

missing=()
while read -r package tool; do
  [[ -n $package ]] || continue
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  # shellcheck disable=SC2086  # the shell splits $tool into the words of the command
  [[ $status == installed ]] || works $tool || missing+=("$package")
done < <(cat -- "$@" | sed 's/#.*//')
[[ ${#missing[@]} -gt 0 ]] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "This machine has no apt-get. Install the equivalents of these Debian packages: ${missing[*]}"
  exit 0
fi

as_root=()
if [[ $EUID -ne 0 ]]; then as_root=(sudo); fi
echo "Installing ${missing[*]}"
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -q -y --no-install-recommends "${missing[@]}"
