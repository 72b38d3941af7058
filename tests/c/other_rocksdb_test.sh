#!/usr/bin/env bash
# Checks that a closed libdolmen_c.so and a program with a RocksDB and gflags of its own do not disturb each other.
# Usage, in the repository's root: other_rocksdb_test.sh DIRECTORY_OF_THE_LIBRARY c++
set -euo pipefail
library=$(realpath "$1") compiler=$2
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

"$compiler" -std=c++20 -Iapi/c tests/c/programs/other_rocksdb.cc -o "$directory/program" \
  -L"$library" -ldolmen_c -lrocksdb -lgflags -Wl,-rpath,"$library"
"$directory/program" --directory="$directory"
