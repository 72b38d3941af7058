#!/usr/bin/env bash
# Prints the directory of the sources of the newest RocksDB with which Dolmen is tested, for DOLMEN_BUNDLED_ROCKSDB.
# They come with a crate, and stay in the user's cache. Ends with an error if the machine cannot get them.
set -euo pipefail
crate=0.19.0+11.8.1
directory=${XDG_CACHE_HOME:-$HOME/.cache}/dolmen/rocksdb-${crate#*+}

if [[ ! -e $directory/CMakeLists.txt ]]; then
  mkdir -p "$(dirname "$directory")"
  project=$(mktemp -d "$directory.XXXXXX")  # beside the directory, so that the last step is one rename
  trap 'rm -rf "$project"' EXIT
  mkdir "$project/src"
  touch "$project/src/lib.rs"
  printf '[package]\nname = "sources"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nlibrocksdb-sys = "=%s"\n' \
    "$crate" >"$project/Cargo.toml"
  cargo vendor --quiet --manifest-path "$project/Cargo.toml" "$project/vendor" >/dev/null
  rm -rf "$directory"
  mv -T "$project/vendor/librocksdb-sys/rocksdb" "$directory"
fi
echo "$directory"
