#!/usr/bin/env bash
# Builds Dolmen for Linux on arm64 with Debian's cross compiler, and runs the tests of the engine and of the behaviour under
# qemu. The packages of arm64 are unpacked into a directory that stays in the user's cache. Needs root on Debian.
# Usage: arm64.sh [LABEL...]    the tests' labels, by default engine behaviour
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ $# -eq 0 ]]; then set -- engine behaviour; fi

.ci/packages.sh .ci/packages.txt <(printf '%s\n' mmdebstrap g++-aarch64-linux-gnu qemu-user-static)
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
export DOLMEN_SYSROOT=${XDG_CACHE_HOME:-$HOME/.cache}/dolmen/arm64-$suite
if [[ ! -d $DOLMEN_SYSROOT ]]; then
  libraries=$(sed 's/#.*//' .ci/packages.txt | grep -oE '^lib[^ ]+|[^ ]+-dev' | sort -u | paste -sd,)
  mirror=$(apt-get indextargets --format '$(SITE)' "Codename: $suite" 'Created-By: Packages' | sed -n 1p)
  new=$(mktemp -d "$DOLMEN_SYSROOT.XXXXXX")
  trap 'rm -rf "$new"' EXIT
  mmdebstrap --quiet --variant=extract --architectures=arm64 --include="libc6-dev,$libraries" "$suite" "$new" \
    "deb $mirror $suite main"
  mv -T "$new" "$DOLMEN_SYSROOT"
fi

cmake --preset release -B build/arm64 --toolchain cmake/aarch64-linux-gnu.cmake
cmake --build build/arm64 --target "${@/%/_test}"
ctest --test-dir build/arm64 --output-on-failure -j "$(nproc)" -L "^($(IFS='|' && echo "$*"))\$"
