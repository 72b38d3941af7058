#!/usr/bin/env bash
# Builds targets in build/closed, with the newest RocksDB and with archives of all libraries that Debian has as archives.
# Prints the directory of .ci/bundled.sh last.
# Usage: closed.sh TARGET...
set -euo pipefail
cd "$(dirname "$0")/.."
bundled=$(.ci/bundled.sh)
PKG_CONFIG_PATH=$bundled/lib/pkgconfig cmake --preset release -B build/closed \
  -DDOLMEN_LINK_ARCHIVES=ON -DDOLMEN_BUNDLED_ROCKSDB="$bundled" >&2
cmake --build build/closed --target "$@" >&2
echo "$bundled"
