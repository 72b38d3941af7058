#!/usr/bin/env bash
# Runs each target for FUZZ_SECONDS, one after the other. A run starts from the repository's corpus
# and from the inputs of earlier runs.
# Usage: run.sh build-folder [target...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
seconds=${FUZZ_SECONDS:-1200}
folder=$build/runs
mkdir -p "$folder/findings"
# Databases on a disk would be slow. A target that ends with a finding leaves its files.
TMPDIR=$(mktemp -d "$(test -w /dev/shm && echo /dev/shm || echo "${TMPDIR:-/tmp}")/dolmen-fuzz-XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT

targets=("$@")
if [[ $# -eq 0 ]]; then
  targets=()
  for source in "$here"/*_fuzzer.cc; do
    targets+=("$(basename "$source" _fuzzer.cc)")
  done
fi

failed=0
for target in "${targets[@]}"; do
  log=$folder/$target.log
  options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
           -artifact_prefix="$folder/findings/$target-")
  case $target in
    # The archives of databases are larger.
    directory) options+=(-max_len=20000) ;;
    # A thread that ends during the search for leaks looks like a leak.
    wire) options+=(-max_len=4200 -detect_leaks=0) ;;
    *) options+=(-max_len=4200) ;;
  esac
  if [[ -f $here/$target.dict ]]; then options+=(-dict="$here/$target.dict"); fi
  mkdir -p "$folder/$target"
  printf '%s: %d s; log: %s\n' "$target" "$seconds" "$log"
  status=0
  "$build/tests/fuzz/${target}_fuzzer" "${options[@]}" "$folder/$target" "$here/corpus/$target" \
    >"$log" 2>&1 || status=$?
  if [[ $status -eq 0 ]]; then
    runs=$(awk '/^stat::number_of_executed_units/ { print $2 }' "$log")
    printf '%s: %s executions, no finding\n' "$target" "$runs"
  else
    printf '%s: a finding; its input is in %s\n' "$target" "$folder/findings"
    tail -n 40 "$log"
    failed=1
  fi
done
exit $failed
