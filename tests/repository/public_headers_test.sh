#!/usr/bin/env bash
# Checks that no public header includes RocksDB or the engine, directly or through other headers.
# Usage, in the repository's root: public_headers_test.sh compiler flag... -- unit...
set -euo pipefail
shopt -s inherit_errexit  # otherwise a missing header would pass

compile=()
while [[ $1 != -- ]]; do
  compile+=("$1")
  shift
done
shift

# Prints the forbidden files that unit $1 includes: files in this repository's engine/, and all
# files in a folder rocksdb/.
forbidden() {
  local files
  files=$("${compile[@]}" -x c++ -M "$1")
  tr -s ' \\' '\n' <<<"$files" | sed "s|^$PWD/||" | awk '/^engine\// || /(^|\/)rocksdb\//'
}

# Tests the check itself: it must find planted violations.
engine_header=$(find engine -name "*.h" -print -quit)
for culprit in rocksdb/status.h "$PWD/$engine_header"; do
  compile+=("-I$PWD")
  found=$(forbidden - <<<"#include \"$culprit\"")
  unset 'compile[-1]'
  [[ -n $found ]] || { echo "the self-test failed: the check does not find $culprit"; exit 1; }
done

failed=0
for unit in "$@"; do
  found=$(forbidden "$unit")
  [[ -n $found ]] || continue
  printf '%s must not include\n%s\n' "${unit##*/dolmen/}" "$found"
  failed=1
done
exit $failed
