#!/usr/bin/env bash
# Fetches the modules of a client for Go into a directory and builds the tests there. The client's
# install.sh calls this script. If DOLMEN_IN_PROCESS names the directory of the packages, the tests use
# the Go module in it.
# Usage: go_install.sh CLIENT_DIR BUILD_DIR
set -euo pipefail
directory=$2
cd "$1"

# Uses the installed version of Go. go.mod is written for the version in Debian 12. go.sum has a
# checksum of each module and is not changed.
export GOTOOLCHAIN=local GOFLAGS=-mod=readonly CGO_ENABLED=0

# Copies the SDK's sources. run.py reports the size of these sources as the size of the SDK, because
# the size of a binary depends on the compiler.
if ! cmp -s go.sum "$directory/go.sum"; then
  rm -rf "$directory/installed"
  go mod vendor -e -o "$directory/installed"  # -e: in_process_test.go imports Dolmen's module
  cp go.sum "$directory/go.sum"
fi
if [[ -n ${DOLMEN_IN_PROCESS:-} ]]; then
  export CGO_ENABLED=1
  mod=$directory/in_process.mod
  cp go.mod "$mod"
  cp go.sum "${mod%.mod}.sum"
  for module in dolmen dolmen/dolmenaws; do
    go mod edit -require="$module@v0.0.0" \
      -replace="$module=$DOLMEN_IN_PROCESS/go${module#dolmen}" "$mod"
  done
  GOFLAGS+=" -modfile=$mod -tags=in_process"
fi
go test -c -trimpath -ldflags='-s -w' -o "$directory/tests" .
sed -n '/^require/,/^)/s/^\t\(github[^ ]*\) \(v[^ ]*\)$/\1 \2/p' go.mod >"$directory/versions"
