#!/usr/bin/env bash
# Compiles and runs the bench with the package of package.sh, which must have been built before.
# Usage: bench.sh OUT_DIR_OF_PACKAGE_SH DOLMEN [--out=DIR] [--rounds=N] [--seconds=S]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
package=$(cd "$1" && pwd)/java
dolmen=$2
shift 2

jars=$package/bench/jars
if ! cmp -s "$here/pom.xml" "$package/bench/pom.xml"; then
  rm -rf "$package/bench"
  mvn -B -q -Dstyle.color=never -f "$here/pom.xml" dependency:copy-dependencies \
    -DoutputDirectory="$jars"
  cp "$here/pom.xml" "$package/bench"
fi
javac -Xlint:all,-processing,-classfile,-try -Werror --release 17 -proc:none \
  -d "$package/bench/classes" -cp "$package/lib/*:$jars/*" "$here"/src/bench/*.java
python3 -B "$here/../javascript/data.py" 20 200 >"$package/bench/data.json"
exec java -cp "$package/bench/classes:$package/lib/*:$jars/*" bench.Bench \
  --data="$package/bench/data.json" --dolmen="$dolmen" "$@"
