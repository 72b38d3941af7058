#!/usr/bin/env bash
# Checks that sources read the time only from the database's Clock (dolmen/clock.h). Code that
# waits may measure its waiting time with steady_clock.
set -euo pipefail

others_that_ask() {
  grep -rnE --include='*.h' --include='*.cc' \
    '(system|utc|file)_clock|[^_[:alnum:]](time|gettimeofday|clock_gettime|localtime|gmtime)\(' \
    api engine models | grep -v '^engine/base/clock\.cc:' | grep -vE '^[^:]*:[0-9]+: *//|time\(\) (const )?[{;]|\.time\(\)|->time\(\)' || true
}

# Tests the check itself: it must find planted violations.
selftest=$(mktemp -d)
trap 'rm -rf "$selftest"' EXIT
(
  cd "$selftest"
  mkdir -p api engine/base models
  printf 'auto a = std::chrono::system_clock::now();\n' >engine/base/clock.cc
  printf 'auto a = std::chrono::system_clock::now();\n' >engine/b.cc
  printf 'auto a = std::time(nullptr);\n' >models/c.h
  [[ $(others_that_ask | wc -l) -eq 2 ]]
) || { echo "the self-test failed: the check does not find its planted violations"; exit 1; }

found=$(others_that_ask)
[[ -z $found ]] || { printf '%s\n  read the time from Clock (dolmen/clock.h)\n' "$found"; exit 1; }
