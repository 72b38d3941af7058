#!/usr/bin/env bash
# A RocksDB with a function of files that Dolmen does not know is refused (cmake/rocksdb_functions.cmake).
# Usage: rocksdb_functions_test.sh <cmake> <RocksDB's file_system.h>
set -euo pipefail
cmake=$1 header=$2
check() { "$cmake" -D HEADER="$1" -P cmake/rocksdb_functions.cmake; }

planted=$(mktemp --suffix=.h)
trap 'rm -f "$planted"' EXIT
check "$header"
for class in FSSequentialFile FSRandomAccessFile FSWritableFile FileSystem; do
  for function in 'IOStatus ReadRaw(char* to) = 0;' 'std::unique_ptr<FSReader>'; do
    awk -v class="$class" -v function_="$function" '
      { print }
      $0 ~ "^class " class " [^;]*{" { print " public:"; print "  virtual " function_ }' "$header" >"$planted"
    if output=$(check "$planted" 2>&1); then
      echo "a new function of $class is accepted: $function"
      exit 1
    fi
    if [[ $output != *"class $class"*"${function%% *}"* ]]; then
      echo "the message does not name $class and $function: $output"
      exit 1
    fi
  done
done
