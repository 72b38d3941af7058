#!/usr/bin/env bash
# Checks the cost of an application of three entities for its compiler, by two counts that do not
# depend on the machine: the preprocessed lines of entity.h, and the functions and constants that the
# compiler emits without optimisation. Prints the processor time as well, the least of three runs. No
# limit applies to the time.
# The standard library is most of the lines, so their limit holds for GCC 12's library.
# Usage: application_cost_test.sh APPLICATION COMPILER OPTION...
set -euo pipefail
lines_max=68000
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

lines=$(printf '#include <dolmen/entity.h>\n' | "${compile[@]}" -x c++ -E - | wc -l)
printf '#include <dolmen/dolmen.h>\n' >"$work/dolmen.cc"
header=$(milliseconds "$work/dolmen.cc")
whole=$(milliseconds "$application")
symbols=$(nm "$work/object.o" | grep -c ' [TtWVu] ')

printf 'entity.h has %d preprocessed lines; the limit is %d\n' "$lines" "$lines_max"
printf 'The application emits %d functions and constants; the limit is %d\n' "$symbols" "$symbols_max"
printf 'The application takes %d ms of processor time, %d ms more than dolmen.h alone\n' \
  "$whole" "$((whole - header))"
[[ $lines -le $lines_max && $symbols -le $symbols_max ]]
