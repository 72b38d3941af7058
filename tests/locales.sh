#!/usr/bin/env bash
# Runs tests in processes whose global C++ and C locale is another one: in some, 1234 is "1.234" or "1,234", 0.5 is "0,5", or
# the uppercase of "i" is not "I". The tests are those of folders of the release, and one of each package for another language.
# Usage: locales.sh [LOCALE...]    by default en_US de_DE fr_FR sv_SE tr_TR
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ $# -eq 0 ]]; then set -- en_US de_DE fr_FR sv_SE tr_TR; fi

.ci/packages.sh .ci/packages.txt .ci/packages-clients.txt <(echo locales)
out=$PWD/build/locales
mkdir -p "$out"
# This library sets the locale when the dynamic linker loads it into a process, before main() begins.
c++ -std=c++20 -shared -fPIC -o "$out/set_locale.so" -x c++ - <<'SOURCE'
#include <cstdlib>
#include <locale>
[[gnu::constructor]] static void SetLocale() {
  const char* const name = std::getenv("DOLMEN_LOCALE");
  if (name == nullptr) return;
  // The tests expect the system's messages in English.
  std::locale::global(std::locale(std::locale(name), "C", std::locale::messages));
}
SOURCE

cmake --preset release
cmake --build --preset release --target all
OPEN=1 api/bindings/packages.sh build go java javascript python rust
host=$(rustc -vV | sed -n 's/^host: //p' | tr 'a-z-' 'A-Z_')

export LOCPATH=$out
for locale in "$@"; do
  localedef --inputfile "$locale" --charmap UTF-8 "$out/$locale.UTF-8"
  in_locale=(env "DOLMEN_LOCALE=$locale.UTF-8" "LD_PRELOAD=$out/set_locale.so")
  echo "=== $locale"
  "${in_locale[@]}" ctest --preset release -L '^(engine|behaviour|durability|backup|wire|command|host)$'
  for language in go java javascript python; do
    "${in_locale[@]}" "api/bindings/$language/test.sh" build/packages-open
  done
  # The compiler of Rust fails in some of the locales, because it cannot read "0.1" there. Only the tests run in them.
  env "CARGO_TARGET_${host}_RUNNER=${in_locale[*]}" api/bindings/rust/test.sh build/packages-open
done
