#!/usr/bin/env bash
# Runs the tests that install.sh has compiled into a directory. Usage: run.sh <directory>
set -euo pipefail
if [[ -n ${DOLMEN_IN_PROCESS:-} ]]; then
  classes="$1/in_process:$DOLMEN_IN_PROCESS/java/lib/*"
else
  classes=$1/over_http
fi
exec java -Xmx256m -XX:TieredStopAtLevel=1 -cp "$classes:$1/installed/*" directory.RunTests
