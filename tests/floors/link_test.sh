#!/usr/bin/env bash
# Checks that a floor links without the floors above it. The program links with the floor and the floors
# below it, and runs. With -DPLANTED the program calls functions of other floors. Then it does not link,
# and the linker misses each function that a line "// undefined: " of the program names, and no other.
# Usage: link_test.sh program.cc response_file compiler flag...
# The response file lists the objects of the floors and the external libraries.
set -euo pipefail

program=$1
floors=$2
compile=("${@:3}" "$program")
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

"${compile[@]}" -o "$directory/program" "@$floors"
"$directory/program" >"$directory/output" || { cat "$directory/output"; echo "$program fails"; exit 1; }

expected=$(sed -n 's|^ *// undefined: ||p' "$program")
[[ -n $expected ]] || { echo "$program has no line \"// undefined: \" with the planted call"; exit 1; }
"${compile[@]}" -DPLANTED -c -o "$directory/planted.o"
if errors=$("${compile[0]}" -o "$directory/planted" "$directory/planted.o" "@$floors" 2>&1); then
  echo "$program links with -DPLANTED, but must not"
  exit 1
fi
missed=$(grep -o 'undefined reference to .*' <<<"$errors" | sort -u)
while read -r function; do
  rest=$(grep -vF "undefined reference to \`$function" <<<"$missed" || true)
  if [[ $rest == "$missed" ]]; then
    printf '%s\n' "$errors"
    echo "$program does not link with -DPLANTED, but the linker does not miss: $function"
    exit 1
  fi
  missed=$rest
done <<<"$expected"
[[ -z $missed ]] || { echo "$program misses more than it plants: $missed"; exit 1; }
