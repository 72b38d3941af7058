#!/usr/bin/env bash
# Checks that the compiler rejects a mistake. The compiler's first error must contain the text of each of
# the mistake's lines "// error: ".
# Usage: compile_fail_test.sh file mistake compiler flag...
# A file without lines "// wrong " has one mistake: it compiles without -DWRONG, and not with it. In other
# files a line "// wrong NAME: MACRO=TEXT" is followed by the mistake's errors. The file compiles without
# the macro, or with the macro of a line "// right: MACRO=TEXT" of the mistake.
set -euo pipefail

file=$1
mistake=$2
compile=("${@:3}" -fsyntax-only)

lines=$(awk -v begin="// wrong $mistake: " '/^\/\/ wrong / { ours = index($0, begin) == 1 } ours' "$file")
wrong=$(sed -n 's|^// wrong [a-z_]*: ||p' <<<"$lines")
right=$(sed -n 's|^// right: ||p' <<<"$lines")
if [[ -z $lines ]]; then
  lines=$(<"$file")
  wrong=WRONG
fi
expected=$(sed -n 's|^// error: ||p' <<<"$lines")
[[ -n $expected ]] || { echo "$file has no line \"// error: \" with the expected error"; exit 1; }

# The file must compile without the mistake. Then only the mistake can cause the error.
"${compile[@]}" ${right:+"-D$right"} "$file" || { echo "$file does not compile without $mistake"; exit 1; }

if errors=$("${compile[@]}" "-D$wrong" "$file" 2>&1); then
  echo "$file compiles with -D$wrong, but must not"
  exit 1
fi
first=$(grep -m 1 'error: ' <<<"$errors")
while read -r text; do
  [[ $first == *"$text"* ]] && continue
  printf '%s\n' "$errors"
  echo "$file does not compile with -D$wrong, but the first error lacks: $text"
  exit 1
done <<<"$expected"
