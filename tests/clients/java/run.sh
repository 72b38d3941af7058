#!/usr/bin/env bash
# Runs the tests that install.sh has compiled into a directory. Usage: run.sh <directory>
set -euo pipefail
exec java -Xmx256m -XX:TieredStopAtLevel=1 \
  -cp "$1/classes:$1/installed/*" directory.RunTests
