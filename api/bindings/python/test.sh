#!/usr/bin/env bash
# Installs the wheel into a new virtual environment and runs its tests.
# Usage: test.sh OUT_DIR_OF_PACKAGE_SH [OPTION_OF_PYTEST...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "$1" && pwd)
shift

# The script writes the file $done last. If this file is missing, the environment is incomplete.
done=$out/requirements.txt
if ! cmp -s "$here/tests/requirements.txt" "$done"; then
  rm -rf "$out/environment" "$done"
  python3 -m venv "$out/environment"
  "$out/environment/bin/python" -m pip install --quiet --disable-pip-version-check \
    -r "$here/tests/requirements.txt"
  cp "$here/tests/requirements.txt" "$done"
fi
"$out/environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
  --force-reinstall "$out"/dolmen-*.whl
exec "$out/environment/bin/python" -B -m pytest -p no:cacheprovider "$here/tests" "$@"
