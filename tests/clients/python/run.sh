#!/usr/bin/env bash
# Runs the tests with the boto3 that install.sh has installed into a directory.
# Usage: run.sh <directory>
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# The option -B keeps Python from writing bytecode into the source tree.
exec "$1/installed/bin/python" -B "$here/run_tests.py"
