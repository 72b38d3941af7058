#!/usr/bin/env bash
# Checks the direction of includes: models -> api/dolmen -> engine -> RocksDB, and api/server ->
# api/wire -> api/dolmen.
set -euo pipefail
failures=0

# Reports each include in folders $3... whose name matches the pattern $1. $2 is the reason.
forbid() {
  local found
  found=$(grep -rnE --include='*.h' --include='*.cc' "^ *# *include *[<\"]$1" "${@:3}" || true)
  [[ -n $found ]] || return 0
  printf '%s\n  %s\n' "$found" "$2"
  failures=$((failures + 1))
}

check() {
  failures=0
  forbid '([^">]*/)?engine/' 'models may include only the public API; if it is not enough, extend it' models
  forbid '([^">]*/)?(tests|bench)/' 'shipped code must not depend on tests or bench' api engine models
  forbid '([^">]*/)?dolmen/(database|dolmen|table)\.h' 'the engine must not include its callers' engine
  forbid '([^">]*/)?rocksdb/' 'only the engine may include RocksDB' api models
  forbid '([^">]*/)?engine/' 'the wire and the server may include only the public API' api/wire api/server
  forbid '([^">]*/)?server/' 'the wire must not include the server' api/wire
}

# Tests the check itself: it must find one planted violation of each rule above.
selftest=$(mktemp -d)
trap 'rm -rf "$selftest"' EXIT
(
  cd "$selftest"
  mkdir -p api/wire api/server api/command engine models
  printf '#include "../../engine/key/key.h"\n' >models/a.cc
  printf '#include "tests/support/temp.h"\n' >api/b.h
  printf '#include <dolmen/table.h>\n' >engine/c.cc
  printf '#  include <rocksdb/db.h>\n' >api/d.cc
  printf '#include "engine/engine.h"\n#include "server/server.h"\n#include "command/command.h"\n' >api/wire/e.cc
  check >/dev/null
  [[ $failures -eq 6 ]]
) || { echo "the self-test failed: the check does not find its planted violations"; exit 1; }

check
exit $((failures > 0))
