#!/usr/bin/env bash
# Runs Maven with the properties that pom.xml needs. Usage: maven.sh OUT_DIR [ARGUMENT_OF_MVN...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$1
shift
exec mvn -B -ntp -Dstyle.color=never -f "$here/pom.xml" -Ddolmen.build="$out/target" \
  -Ddolmen.resources="$out/resources" "$@"
