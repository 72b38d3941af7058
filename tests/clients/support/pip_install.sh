#!/usr/bin/env bash
# Installs a client from PyPI. The client's install.sh calls this script.
# Usage: pip_install.sh CLIENT_DIR BUILD_DIR
set -euo pipefail
requirements=$1/requirements.txt
directory=$2

# The script writes the file $done last. If this file is missing, the venv is missing or incomplete.
done=$directory/requirements.txt
if ! cmp -s "$requirements" "$done" || [[ ! -d $directory/installed ]]; then
  rm -rf "$directory/installed" "$directory/pip" "$done"
  # pip has its own venv because pip is not part of the client.
  python3 -m venv "$directory/pip"
  python3 -m venv --without-pip "$directory/installed"
  "$directory/pip/bin/python" -m pip --python "$directory/installed/bin/python" install --quiet \
    --require-hashes --only-binary :all: --no-compile --disable-pip-version-check \
    -r "$requirements"
  cp "$requirements" "$done"
fi
sed -n 's/^\([a-z0-9-]*\)==\([^ ]*\).*/\1 \2/p' "$requirements" >"$directory/versions"
