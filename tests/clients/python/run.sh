#!/usr/bin/env bash
# Runs the tests with the boto3 that install.sh has put into a directory.  run.sh <directory>
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# Without bytecode, which Python would put beside the sources.
exec "$1/installed/bin/python" -B "$here/run_tests.py"
