#!/usr/bin/env bash
# Runs the tests that maven_install.sh has compiled. The client's run.sh calls this script.
# Usage: java_test.sh BUILD_DIR CLASS...
set -euo pipefail
directory=$1
shift
if [[ -n ${DOLMEN_IN_PROCESS:-} ]]; then
  classes="$directory/in_process:$DOLMEN_IN_PROCESS/java/lib/*"
else
  classes=$directory/over_http
fi
exec java -Xmx256m -XX:TieredStopAtLevel=1 \
  -cp "$classes:$directory/installed/*" support.RunTests "$@"
