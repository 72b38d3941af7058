#!/usr/bin/env bash
# Checks that libdolmen_c.so exports exactly the symbols that symbols.txt lists, each with its version,
# and that dolmen.h declares the same functions. A symbol in symbols.txt never changes.
# Usage, in the repository's root: symbols_test.sh libdolmen_c.so nm
set -euo pipefail
library=$1 nm=$2
listed=tests/c/symbols.txt

# Prints the names of the functions that dolmen.h declares.
declared() { grep -oE '\bdolmen_[a-z_]+\(' api/c/dolmen.h | tr -d '(' | grep -vxF dolmen_handler | sort -u; }

exported() { "$nm" -D --defined-only "$library" | awk '$2 != "A" { print $3 }' | LC_ALL=C sort; }

diff -u "$listed" <(exported) || { echo "libdolmen_c.so exports other symbols than $listed lists"; exit 1; }
diff -u <(sed 's/@.*//' "$listed") <(declared) || { echo "dolmen.h and $listed differ"; exit 1; }
