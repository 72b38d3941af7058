#!/usr/bin/env bash
# Builds the clients that the bench compares, and runs bench.py.
# Usage: bench.sh DIRECTORY_FOR_CLIENTS DOLMEN CLIENT [OPTION_OF_BENCH_PY...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
tools=$(cd "$1" && pwd)
dolmen=$2 client=$3
shift 3

(cd "$here/go" && go build -o "$tools/go_client" .)
[[ -d $tools/python ]] || python3 -m venv "$tools/python"
"$tools/python/bin/python" -m pip install --quiet --disable-pip-version-check \
  "$(grep ^boto3= "$here/../python/requirements.txt")"
if ! cmp -s "$here/../java/pom.xml" "$tools/pom.xml"; then
  mvn -B -q -Dstyle.color=never -f "$here/../java/pom.xml" dependency:copy-dependencies \
    -DoutputDirectory="$tools/jars"
  cp "$here/../java/pom.xml" "$tools"
fi
javac -Xlint:all,-processing,-classfile,-try -Werror --release 17 -proc:none \
  -d "$tools/classes" -cp "$tools/jars/*" "$here/java/Client.java"
exec "$here/bench.py" "$dolmen" "$client" "$tools" "$@"
