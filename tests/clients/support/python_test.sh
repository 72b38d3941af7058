#!/usr/bin/env bash
# Runs the tests of a client from PyPI. The client's run.sh calls this script.
# Usage: python_test.sh CLIENT_DIR BUILD_DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# The option -B keeps Python from writing bytecode into the source tree.
exec "$2/installed/bin/python" -B "$here/run_tests.py" "$1"
