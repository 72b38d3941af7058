#!/usr/bin/env bash
# Installs a build of Dolmen in an empty folder, and builds programs with the flags of pkg-config,
# without CMake. Uses each given compiler that is installed.
# Usage: pkg_config_test.sh build-directory work-directory compiler...
set -euo pipefail
build=$1 work=$2
programs=$(cd "$(dirname "$0")" && pwd)/programs
rm -rf "$work"
cmake --install "$build" --prefix "$work/prefix" >"$work.log"
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name dolmen.pc)")
read -ra compile <<<"-std=c++20 -O3 -Wall -Wextra -Werror $(pkg-config --cflags dolmen)"
read -ra link <<<"$(pkg-config --libs dolmen)"

for compiler in "${@:3}"; do
  command -v "$compiler" >/dev/null || { echo "$compiler is not installed"; continue; }
  "$compiler" "${compile[@]}" "$programs/app.cc" -o "$work/app" "${link[@]}"
  "$work/app"
  "$compiler" "${compile[@]}" -fno-exceptions -fno-rtti "$programs/entities.cc" -o "$work/entities" "${link[@]}"
  "$work/entities"
done
