#!/usr/bin/env bash
# Checks the cost of dolmen.h for the programs that include it: at most 60,000 preprocessed lines.
# The standard library is most of them, so the limit holds for GCC 12's library.
# Usage: header_cost_test.sh COMPILER OPTION...
set -euo pipefail
limit=60000
lines=$(printf '#include <dolmen/dolmen.h>\n' | "$@" -x c++ -E - | wc -l)
printf 'dolmen.h has %d preprocessed lines; the limit is %d\n' "$lines" "$limit"
[[ $lines -le $limit ]]
