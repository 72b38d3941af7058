#!/usr/bin/env bash
# Checks that calls of the C interface do not make the process grow. DOLMEN_STEPS is the number of
# calls, by default 20000.
# Usage, in the repository's root: loop_test.sh libdolmen_c.so cc work-directory
set -euo pipefail
library=$1 cc=$2 work=$3
mkdir -p "$work"
"$cc" -std=c99 -O1 -pedantic -Wall -Wextra -Werror -Iapi/c tests/c/loop.c -o "$work/loop" "$library" \
  -Wl,-rpath,"$(dirname "$library")"
"$work/loop" "${DOLMEN_STEPS:-20000}"
