#!/usr/bin/env bash
# Runs bench.mjs with the package of test.sh, which must have been installed before.
# Usage: bench.sh OUT_DIR_OF_PACKAGE_SH DOLMEN [OPTION_OF_BENCH_MJS...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$1" && pwd)/javascript-test
dolmen=$2
shift 2

# Node looks for packages in the directories above the program.
mkdir -p "$project/bench"
cp "$here/bench.mjs" "$project/bench"
python3 -B "$here/data.py" 20 200 >"$project/bench/data.json"
exec node "$project/bench/bench.mjs" --data="$project/bench/data.json" --dolmen="$dolmen" "$@"
