#!/usr/bin/env bash
# Installs other implementations of DynamoDB into a directory, and the system packages that they need.
# Usage: install_peers.sh <directory> [NAME...]    (default: every server of peers.txt)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
directory=$(cd "$1" && pwd)
shift

"$here/../../.ci/packages.sh" "$here/../../.ci/packages-differential.txt"

install_with_pip() {
  [[ -d $directory/python ]] || python3 -m venv "$directory/python"
  "$directory/python/bin/python" -m pip install --quiet --disable-pip-version-check "$1"
}

# Installs the version $2 of the server $1.
install_one() {
  case $1 in
    dynalite)
      npm install --prefix "$directory/dynalite" --no-audit --no-fund --loglevel error "dynalite@$2"
      ;;
    dynoxide) # The binary that npm has was 2 to 3 times slower than this build of the crate.
      command -v cargo >/dev/null || {
        echo "dynoxide is built from its crate: install Rust 1.88 or newer" >&2
        return 1
      }
      cargo install --quiet --locked --version "$2" --root "$directory" dynoxide-rs
      ;;
    ministack) install_with_pip "ministack==$2" ;;
    moto) install_with_pip "moto[server]==$2" ;;
  esac
}

(($#)) || set -- $(awk '!/^#/ { print $1 }' "$here/peers.txt")
for name; do
  version=$(awk -v name="$name" '$1 == name { print $2 }' "$here/peers.txt")
  [[ -n $version ]] || {
    echo "install_peers.sh: $name is not in peers.txt" >&2
    exit 1
  }
  # A stamp holds the installed version, so that only a new version needs the network.
  [[ $(cat "$directory/$name.version" 2>/dev/null) == "$version" ]] && continue
  echo "Installing $name $version"
  install_one "$name" "$version"
  echo "$version" >"$directory/$name.version"
done
