#!/usr/bin/env bash
# Checks that includes point one way: models -> api/dolmen -> engine -> RocksDB, and
# api/command -> api/server -> api/wire -> api/dolmen; api/c -> api/wire;
# api/command -> api/remote -> api/wire. The server and the client use api/http.
# Usage, in the repository's root: includes_test.sh compiler flag...
set -euo pipefail
shopt -s inherit_errexit  # a header that is not found ends the test

compile=("$@")
failures=0

fail() {
  printf '%s\n  %s\n' "$1" "$2"
  failures=$((failures + 1))
}

# Fails if a source directly includes a forbidden name. $1: a pattern of the name; $2: the reason;
# then the folders of the sources.
forbid() {
  local found
  found=$(grep -rnE --include='*.h' --include='*.cc' "^ *# *include *[<\"]$1" "${@:3}" || true)
  [[ -z $found ]] || fail "$found" "$2"
}

# Prints the files of the repository that the given sources include, directly or through other
# headers.
reached() {
  local files
  files=$(printf '#include "%s"\n' "$@" | "${compile[@]}" -I. -Iapi -x c++ -M -)
  tr -s ' \\' '\n' <<<"$files" | sed "s|^$PWD/||; s|^\./||" | grep -E '^(api|engine|models|bench|tests)/' | sort -u
}

# Fails if a source includes a forbidden file, directly or through other headers. $1: a pattern of
# the file's path; $2: the reason; then the folders of the sources.
forbid_reach() {
  local sources all found source
  mapfile -t sources < <(find "${@:3}" -name '*.h' -o -name '*.cc' | sort)
  # Checks all sources in one pass. If that pass finds a violation, checks each source alone to find
  # the source that causes it.
  all=$(reached "${sources[@]}")
  grep -qE "$1" <<<"$all" || return 0
  for source in "${sources[@]}"; do
    found=$(reached "$source" | grep -E "$1" || true)
    [[ -z $found ]] || fail "$source reaches $(tr '\n' ' ' <<<"$found")" "$2"
  done
}

handles='^api/dolmen/(database|dolmen|entity|table|wire)\.h$|^api/dolmen/entity/'

check() {
  failures=0
  forbid '([^">]*/)?rocksdb/' 'only the engine includes RocksDB' api models
  forbid '([^">]*/)?(tests|bench)/' 'shipped code includes no test and no bench' api engine models
  forbid '([^">]*/)?server/' 'the wire, the C interface and the client do not know the server' api/wire api/c api/http api/remote
  forbid '([^">]*/)?command/' 'the server does not know the commands that start it' api/wire api/server api/c api/http api/remote
  forbid_reach "$handles" 'the engine includes the public vocabulary, never Table or Database' engine
  forbid_reach '^engine/' 'models use the public API; extend the API if it lacks something' models
  forbid_reach '^engine/' 'the wire, the server, the client and the commands use the public API' \
    api/wire api/server api/command api/c api/http api/remote
}

# Plants one violation of each rule, and checks that each is found.
selftest=$(mktemp -d)
trap 'rm -rf "$selftest"' EXIT
(
  cd "$selftest"
  mkdir -p api/dolmen api/wire api/http api/remote api/server api/command api/c engine/key models tests/support rocksdb
  touch engine/key/key.h api/dolmen/table.h tests/support/temp.h rocksdb/db.h api/server/server.h api/command/command.h
  printf '#include "engine/key/key.h"\n' >api/dolmen/leak.h
  printf '#include "dolmen/table.h"\n' >api/dolmen/batch.h
  printf '#include <dolmen/batch.h>\n' >engine/a.cc
  printf '#include "dolmen/leak.h"\n' >models/b.cc
  printf '#include "tests/support/temp.h"\n#  include <rocksdb/db.h>\n' >api/dolmen/c.h
  printf '#include "dolmen/leak.h"\n#include "server/server.h"\n#include "command/command.h"\n' >api/wire/d.cc
  check >found.txt
  [[ $failures -eq 7 ]] || { cat found.txt; exit 1; }
) || { echo "the test misses a planted include"; exit 1; }

check
exit $((failures > 0))
