#!/usr/bin/env bash
# Checks that the file compiles without -DWRONG and does not compile with it. The compiler's first
# error must contain the text of each of the file's lines "// error: ".
# Usage: compile_fail_test.sh file compiler flag...
set -euo pipefail

file=$1
compile=("${@:2}" -fsyntax-only)

expected=$(sed -n 's|^// error: ||p' "$file")
[[ -n $expected ]] || { echo "$file has no line \"// error: \" with the expected error"; exit 1; }

# The file must compile without -DWRONG. Then only the mistake can cause the error with -DWRONG.
"${compile[@]}" "$file" || { echo "$file does not compile without WRONG"; exit 1; }

if errors=$("${compile[@]}" -DWRONG "$file" 2>&1); then
  echo "$file compiles with -DWRONG, but must not"
  exit 1
fi
first=$(grep -m 1 'error: ' <<<"$errors")
while read -r text; do
  [[ $first == *"$text"* ]] && continue
  printf '%s\n' "$errors"
  echo "$file does not compile with -DWRONG, but the first error lacks: $text"
  exit 1
done <<<"$expected"
