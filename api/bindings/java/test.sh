#!/usr/bin/env bash
# Runs the tests of the package. Usage: test.sh OUT_DIR_OF_PACKAGE_SH [ARGUMENT_OF_MVN...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "$1/java" && pwd)
shift
exec "$here/maven.sh" "$out" test "$@"
