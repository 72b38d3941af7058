#!/usr/bin/env bash
# No public header reaches RocksDB or the engine, through other headers included.
# Usage, in the repository's root: public_headers_test.sh compiler flag... -- unit...
set -euo pipefail
shopt -s inherit_errexit  # else a header that is not found would pass

compile=()
while [[ $1 != -- ]]; do
  compile+=("$1")
  shift
done
shift

# Prints which files the unit depends on that are ours below engine/ or anybody's below rocksdb/.
forbidden() {
  local files
  files=$("${compile[@]}" -x c++ -M "$1")
  tr -s ' \\' '\n' <<<"$files" | sed "s|^$PWD/||" | awk '/^engine\// || /(^|\/)rocksdb\//'
}

# A check that cannot fail checks nothing.
engine_header=$(find engine -name "*.h" -print -quit)
for culprit in rocksdb/status.h "$PWD/$engine_header"; do
  compile+=("-I$PWD")
  found=$(forbidden - <<<"#include \"$culprit\"")
  unset 'compile[-1]'
  [[ -n $found ]] || { echo "the check does not see $culprit"; exit 1; }
done

failed=0
for unit in "$@"; do
  found=$(forbidden "$unit")
  [[ -n $found ]] || continue
  printf '%s reaches\n%s\n' "${unit##*/dolmen/}" "$found"
  failed=1
done
exit $failed
