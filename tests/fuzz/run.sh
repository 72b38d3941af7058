#!/usr/bin/env bash
# Runs each target for FUZZ_SECONDS, one after the other, from the corpus of the repository and from what
# earlier runs found.  Usage: run.sh build-folder [target...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
seconds=${FUZZ_SECONDS:-1200}
work=$build/work
mkdir -p "$work/findings"

targets=("$@")
if [[ $# -eq 0 ]]; then
  targets=()
  for source in "$here"/*_fuzzer.cc; do
    targets+=("$(basename "$source" _fuzzer.cc)")
  done
fi

failed=0
for target in "${targets[@]}"; do
  log=$work/$target.log
  options=(-max_total_time="$seconds" -max_len=4200 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
           -artifact_prefix="$work/findings/$target-")
  if [[ -f $here/$target.dict ]]; then options+=(-dict="$here/$target.dict"); fi
  mkdir -p "$work/$target"
  printf '%s: %d s; what it does is in %s\n' "$target" "$seconds" "$log"
  status=0
  "$build/tests/fuzz/${target}_fuzzer" "${options[@]}" "$work/$target" "$here/corpus/$target" \
    >"$log" 2>&1 || status=$?
  if [[ $status -eq 0 ]]; then
    runs=$(awk '/^stat::number_of_executed_units/ { print $2 }' "$log")
    printf '%s: %s executions, no finding\n' "$target" "$runs"
  else
    printf '%s: a finding, in %s\n' "$target" "$work/findings"
    tail -n 40 "$log"
    failed=1
  fi
done
exit $failed
