#!/usr/bin/env bash
# Installs the wheel and what the bench compares into an environment, and runs bench.py.
# Usage: bench.sh OUT_DIR_OF_PACKAGE_SH DOLMEN [OPTION_OF_BENCH_PY...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
packages=$1
environment=$packages/bench
shift

[[ -d $environment ]] || python3 -m venv "$environment"
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check \
  -r "$here/requirements.txt"
PYTHONPATH=$packages/python exec "$environment/bin/python" -B "$here/bench.py" "$@"
