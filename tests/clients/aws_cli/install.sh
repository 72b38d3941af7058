#!/usr/bin/env bash
# Finds the `aws` command of Debian's package, whichever comes first on the PATH: version 1 reads
# binaries otherwise, and ends with other codes.  install.sh <directory>
set -euo pipefail
directory=$1

aws=/usr/bin/aws
[[ -x $aws ]] || {
  echo "There is no $aws: it is in Debian's package awscli" >&2
  exit 1
}
mkdir -p "$directory/installed"
ln -sf "$aws" "$directory/installed/aws"
version=$("$aws" --version)
version=${version#aws-cli/}
echo "aws-cli ${version%% *} system" >"$directory/versions"
