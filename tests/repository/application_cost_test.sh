#!/usr/bin/env bash
# Checks the cost of an application of three entities for its compiler, by a count that does not depend
# on the machine: the functions and constants that the compiler emits without optimisation. Prints the
# processor time as well, the least of three runs. No limit applies to the time.
# Usage: application_cost_test.sh APPLICATION COMPILER OPTION...
set -euo pipefail
symbols_max=900
application=$1
compile=("${@:2}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the least processor time, in milliseconds, of three compilations of the file $1.
milliseconds() {
  local TIMEFORMAT='%3U %3S'
  for _ in 1 2 3; do
    { time "${compile[@]}" -O0 -c "$1" -o "$work/object.o"; } 2>"$work/times"
    awk '{printf "%d\n", ($1 + $2) * 1000}' "$work/times"
  done | sort -n | head -1
}

printf '#include <dolmen/dolmen.h>\n' >"$work/dolmen.cc"
header=$(milliseconds "$work/dolmen.cc")
whole=$(milliseconds "$application")
symbols=$(nm "$work/object.o" | grep -c ' [TtWVu] ')

printf 'The application emits %d functions and constants; the limit is %d\n' "$symbols" "$symbols_max"
printf 'The application takes %d ms of processor time, %d ms more than dolmen.h alone\n' \
  "$whole" "$((whole - header))"
[[ $symbols -le $symbols_max ]]
