#!/usr/bin/env bash
# Compiles the module of Node.js beside the C library, which it finds in its own directory.
# Usage: build.sh C_LIBRARY_DIR NODE_HEADERS_DIR OUT_DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
"${CXX:-c++}" -std=c++20 -O2 -Wall -Wextra -Werror -fPIC -fvisibility=hidden -shared -s \
  -DNAPI_VERSION=8 -I"$here/../../.." -isystem "$2" "$here"/*.cc -o "$3/dolmen.node" \
  -L"$1/lib" -ldolmen_c -Wl,-rpath,'$ORIGIN' -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL
