#!/usr/bin/env bash
# Builds the first program of README.md with the module and runs it, in a root directory that has only
# Debian's Go and C compiler with their dependencies. Needs root on Debian, and Go.
# Usage: bare_debian.sh OUT_DIR_OF_PACKAGE_SH
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
module=$(realpath "$1/go")
source "$here/../../../tests/support/bare_root.sh"

mapfile -t packages < <(with_dependencies golang-go gcc libc6-dev coreutils)
unpack "${packages[@]}"

# The requirements of the program are those of dolmenaws. It has no network, so it needs their sources.
mkdir -p "$root/program" "$root/tmp" "$root/dev"
mknod -m 666 "$root/dev/null" c 1 3
cd "$root/program"
sed -n '/^\/\/ first.go/,/^```/p' "$here/README.md" | grep -v '^```' >first.go
sed 's/^module .*/module example/' "$module/dolmenaws/go.mod" >go.mod
cp "$module/dolmenaws/go.sum" .
go mod edit -require dolmen/dolmenaws@v0.0.0 -replace "dolmen=$module" \
  -replace "dolmen/dolmenaws=$module/dolmenaws"
go mod vendor
# Sets GOROOT, because Go of Debian 13 finds its own directory only by /proc.
in_root() {
  chroot "$root" /usr/bin/env -i -C /program HOME=/tmp PATH=/usr/bin GOROOT=/usr/lib/go "$@"
}
in_root go build -o first .
in_root ./first
echo "PASS with $(in_root go version)"
