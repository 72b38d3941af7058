#!/usr/bin/env bash
# Checks that the package and RocksDB's own package for Java do not disturb each other in one process.
# Usage: other_rocksdb.sh OUT_DIR_OF_PACKAGE_SH
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "$1/java" && pwd)
version=${ROCKSDBJNI:-10.10.1}

jars=$out/other_rocksdb
if [[ ! -f $jars/rocksdbjni-$version.jar ]]; then
  mvn -B -ntp -q dependency:copy -Dartifact="org.rocksdb:rocksdbjni:$version" -DoutputDirectory="$jars"
fi
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
for first in rocksdb dolmen; do
  java -Djava.io.tmpdir="$directory" -cp "$out/lib/*:$jars/*" \
    "$here/src/other_rocksdb/OtherRocksDb.java" "$first"
done
