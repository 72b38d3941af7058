#!/usr/bin/env bash
# Checks that dolmen.h is valid C99 and valid C++20, alone and twice.
# Usage, in the repository's root: header_test.sh libdolmen_c.so cc c++
set -euo pipefail
cc=$2 cxx=$3
warnings=(-pedantic -Wall -Wextra -Wstrict-prototypes -Wconversion -Werror -fsyntax-only -Iapi/c)
unit='#include <dolmen.h>\n#include <dolmen.h>\nint dolmen_is_included;\n'
# shellcheck disable=SC2059  # the unit is a format
printf "$unit" | "$cc" -std=c99 "${warnings[@]}" -x c -
# shellcheck disable=SC2059
printf "$unit" | "$cxx" -std=c++20 "${warnings[@]/-Wstrict-prototypes/-Wshadow}" -x c++ -
