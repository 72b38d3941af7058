#!/usr/bin/env bash
# Builds the tests of models/examples/go and of the README. Usage: install.sh BUILD_DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$1/source
rm -rf "$source"
cp -r "$here/../../../models/examples/go" "$source"
{
  printf 'package orders\n\nimport "testing"\n\n'
  "$here/../support/readme_block.sh" go
} >"$source/readme_test.go"
exec "$here/../support/go_install.sh" "$source" "$1"
