#!/usr/bin/env bash
# Links the `aws` command of Debian's package, even if the PATH finds a different `aws` first. The
# other command may have version 1, which reads binary values in a different way and has different
# exit codes.
# Usage: install.sh <directory>
set -euo pipefail
directory=$1

aws=/usr/bin/aws
[[ -x $aws ]] || {
  echo "$aws does not exist: install Debian's package awscli" >&2
  exit 1
}
mkdir -p "$directory/installed"
ln -sf "$aws" "$directory/installed/aws"
version=$("$aws" --version)
version=${version#aws-cli/}
echo "aws-cli ${version%% *} system" >"$directory/versions"
