#!/usr/bin/env bash
# Prints a directory with the newest RocksDB and simdjson with which Dolmen is tested: RocksDB's sources for
# DOLMEN_BUNDLED_ROCKSDB, and simdjson as an archive, which Debian has not, for PKG_CONFIG_PATH=DIRECTORY/lib/pkgconfig.
# Their sources come with crates. The directory stays in the user's cache. Ends with an error if the machine cannot
# get them.
set -euo pipefail
rocksdb=11.8.1 simdjson=4.6.4
crates='librocksdb-sys = "=0.19.0+11.8.1"
simdjson-sys = "=0.4.0-alpha.2"'
directory=${XDG_CACHE_HOME:-$HOME/.cache}/dolmen/rocksdb-$rocksdb-simdjson-$simdjson

if [[ ! -e $directory ]]; then
  if ! command -v cargo >/dev/null; then
    echo "cargo fetches the sources of RocksDB and simdjson, and this machine has none. Install Rust by rustup." >&2
    exit 1
  fi
  mkdir -p "$(dirname "$directory")"
  project=$(mktemp -d "$directory.XXXXXX")  # beside the directory, so that the last step is one rename
  trap 'rm -rf "$project"' EXIT
  mkdir -p "$project/src" "$project"/new/{include,lib/pkgconfig}
  touch "$project/src/lib.rs"
  printf '[package]\nname = "sources"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n%s\n' "$crates" \
    >"$project/Cargo.toml"
  cargo vendor --quiet --manifest-path "$project/Cargo.toml" "$project/vendor" >/dev/null
  mv "$project/vendor/librocksdb-sys/rocksdb" "$project/new"
  mv "$project"/vendor/simdjson-sys/vendor/simdjson/simdjson.* "$project/new/include"
  mv "$project/vendor/simdjson-sys/vendor/simdjson/LICENSE" "$project/new/simdjson.license"
  (
    cd "$project/new"
    c++ -std=c++20 -O3 -DNDEBUG -fPIC -fvisibility=hidden -c include/simdjson.cpp -o simdjson.o
    ar rcs lib/libsimdjson.a simdjson.o && rm simdjson.o
    printf 'Name: simdjson\nDescription: JSON\nVersion: %s\nLibs: -L%s/lib -lsimdjson\nCflags: -I%s/include\n' \
      "$simdjson" "$directory" "$directory" >lib/pkgconfig/simdjson.pc
  )
  mv -T "$project/new" "$directory"
fi
echo "$directory"
