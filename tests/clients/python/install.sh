#!/usr/bin/env bash
# Installs boto3 into a directory. Usage: install.sh <directory>
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
directory=$1

# The script writes the file $done last. If this file is missing, the venv is missing or incomplete.
done=$directory/requirements.txt
if ! cmp -s "$here/requirements.txt" "$done" || [[ ! -d $directory/installed ]]; then
  rm -rf "$directory/installed" "$directory/pip" "$done"
  # pip has its own venv because pip is not part of the client.
  python3 -m venv "$directory/pip"
  python3 -m venv --without-pip "$directory/installed"
  "$directory/pip/bin/python" -m pip --python "$directory/installed/bin/python" install --quiet \
    --require-hashes --only-binary :all: --no-compile --disable-pip-version-check \
    -r "$here/requirements.txt"
  cp "$here/requirements.txt" "$done"
fi
sed -n 's/^\([a-z0-9-]*\)==\([^ ]*\).*/\1 \2/p' "$here/requirements.txt" >"$directory/versions"
