#!/usr/bin/env bash
# Compiles api/c/example.c and the program of api/c/README.md as C99 with the address sanitizer, and
# runs them. The sanitizer finds responses that are not freed.
# Usage, in the repository's root: example_test.sh libdolmen_c.so cc work-directory
set -euo pipefail
library=$1 cc=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
awk '/^```c$/ { inside = 1; next } /^```/ { inside = 0 } inside' api/c/README.md >"$work/readme.c"
cp api/c/example.c "$work"
for program in readme example; do
  "$cc" -std=c99 -pedantic -Wall -Wextra -Werror -g -fsanitize=address,undefined \
    -fno-sanitize-recover=all -Iapi/c "$work/$program.c" -o "$work/$program" "$library" \
    -Wl,-rpath,"$(dirname "$library")"
  (cd "$work" && ASAN_OPTIONS=detect_leaks=1 "./$program")
done
