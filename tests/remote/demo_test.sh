#!/usr/bin/env bash
# Checks that the demo runs on a remote database, each model on a server of its own.
# Usage: demo_test.sh <dolmen> <dolmen_demo> <model>...
set -euo pipefail
dolmen=$1 demo=$2
shift 2
directory=$(mktemp -d)
pid=
trap 'kill $pid 2>/dev/null || true; rm -rf "$directory"' EXIT
cd "$directory"  # the demo writes its page below this directory

for model; do
  coproc server { exec "$dolmen" serve --memory --clock 2026-04-16T09:00:00Z --port 0; }
  pid=$server_PID
  read -r line <&"${server[0]}"
  url=${line##* }
  "$demo" "$model" --endpoint "$url" >output
  grep -q refused output  # each story shows an error, too
  [[ -s build/demo/index.html ]]
  if "$demo" "$model" --endpoint "$url" 2>error; then
    echo "the demo ran on a service that has tables"
    exit 1
  fi
  grep -q 'holds tables; start it without tables' error
  kill "$pid"
  wait "$pid"
  pid=
done
