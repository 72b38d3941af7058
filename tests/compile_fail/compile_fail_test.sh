#!/usr/bin/env bash
# Checks that the file compiles without -DWRONG and does not compile with it. The compiler's error
# must contain the text of the file's line "// error: ".
# Usage: compile_fail_test.sh file compiler flag...
set -euo pipefail

file=$1
compile=("${@:2}" -fsyntax-only)

expected=$(sed -n 's|^// error: ||p' "$file")
[[ -n $expected ]] || { echo "$file does not say which error it is to have"; exit 1; }

# A file that never compiles would pass for the wrong reason.
"${compile[@]}" "$file" || { echo "$file does not compile as it is"; exit 1; }

if errors=$("${compile[@]}" -DWRONG "$file" 2>&1); then
  echo "$file compiles with its mistake"
  exit 1
fi
grep -qF -- "$expected" <<<"$errors" || {
  printf '%s\n' "$errors"
  echo "$file is refused, but not as: $expected"
  exit 1
}
