#!/usr/bin/env bash
# Builds the C library into build/c, and the packages of the given languages into build/packages.
#
#   build  does no more
#   test   also runs the tests of each package; the variable ARGS has arguments of its test.sh
#   bare   also runs the first program of each README.md on a Debian that has only the language; the variable
#          DEBIAN=trixie selects the release of Debian; needs Debian and root
#
# Usage: packages.sh build|test|bare c|go|java|javascript|python|rust...
set -euo pipefail
cd "$(dirname "$0")/../.."
bindings=api/bindings what=$1
shift

for language in "$@"; do .ci/language.sh "$language"; done
# The C library of a package contains the newest RocksDB and all else that it needs. With OPEN=1 it needs the libraries of
# this machine, which saves the build of RocksDB where only the packages' own code is tested. Such packages are in
# build/packages-open, because they are for this machine alone.
c=build/c${OPEN:+-open} packages=build/packages${OPEN:+-open}
if [[ -n ${OPEN:-} ]]; then
  cmake --preset release
  cmake --build --preset release --target dolmen_c
  api/c/bundle.py build/release/api/c/libdolmen_c.so open $c
else
  bundled=$(.ci/closed.sh dolmen_c)
  api/c/bundle.py build/closed/api/c/libdolmen_c.so "$bundled" $c
fi

for language in "$@"; do
  echo "=== $language: $what"
  case $language-$what in
    c-build) ;;
    c-test)
      tests/c/loop_test.sh $c/lib/libdolmen_c.so cc build/c-loop
      if [[ -z ${OPEN:-} ]]; then tests/c/guest_test.sh $c/lib/libdolmen_c.so c++; fi
      ;;
    c-bare) tests/c/bare_debian.sh $c ;;
    *)
      "$bindings/$language/package.sh" $c $packages
      # shellcheck disable=SC2086  # ARGS has several words
      case $what in
        test)
          "$bindings/$language/test.sh" $packages ${ARGS:-}
          if [[ $language = java && -z ${OPEN:-} ]]; then "$bindings/java/other_rocksdb.sh" $packages; fi
          ;;
        bare) "$bindings/$language/bare_debian.sh" $packages ;;
      esac
      ;;
  esac
done
