#!/usr/bin/env bash
# Checks that libdolmen_c.so works in a program that is a hard host (programs/guest.cc). With a closed library, the
# RocksDB and gflags of the program are of other versions than those within the library.
# Usage, in the repository's root: guest_test.sh libdolmen_c.so c++
set -euo pipefail
library=$(realpath "$1") compiler=$2
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

"$compiler" -std=c++20 -Wall -Wextra -Werror -Iapi/c -I. tests/c/programs/guest.cc tests/support/system_call_filter.cc \
  -o "$directory/program" "$library" -lrocksdb -lgflags -lpthread -Wl,-rpath,"$(dirname "$library")"
status=0
timeout 300 "$directory/program" --directory="$directory" || status=$?
cat "$directory/failure" 2>/dev/null || true
exit $status
