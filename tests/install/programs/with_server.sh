#!/usr/bin/env bash
# Runs a program with the URL of a server that it starts.
# Usage: with_server.sh DOLMEN PROGRAM
set -euo pipefail
exec {output}< <(exec "$1" serve --memory --port 0 2>&1)
server=$!
trap 'kill "$server"' EXIT
while read -r -u "$output" line; do
  if [[ $line =~ http://[^:]+:[0-9]+ ]]; then
    "$2" "${BASH_REMATCH[0]}"
    exit
  fi
done
echo "$1 does not start"
exit 1
