#!/usr/bin/env bash
# Runs the first program of README.md with the package's jars in a root directory that has only
# Debian's default OpenJDK and the libraries that it needs without a screen. Needs root on Debian.
# Usage: bare_debian.sh OUT_DIR_OF_PACKAGE_SH
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
lib=$(cd "$1/java/lib" && pwd)
source "$here/../../../tests/support/bare_root.sh"

jre=$(apt-cache depends default-jre-headless | grep -o 'openjdk-[0-9]*-jre-headless' | head -1)
unpack "$jre" libc6 zlib1g

mkdir -p "$root/program" "$root/tmp" "$root/proc"
cp "$lib"/*.jar "$root/program"
sed -n '/^\/\/ First.java/,/^```/p' "$here/README.md" | grep -v '^```' \
  >"$root/program/First.java"
javac --release 17 -d "$root/program" -cp "$lib/*" "$root/program/First.java"
java=$(cd "$root" && echo usr/lib/jvm/java-[1-9][0-9]-openjdk-*/bin/java)
# Java finds its libraries by /proc, which is unmounted when the process of unshare ends.
in_root() {
  unshare --mount sh -c 'mount -t proc proc "$2/proc" && exec env -i HOME=/tmp "$@"' \
    sh "$(command -v chroot)" "$root" "/$java" "$@"
}
in_root -cp '/program:/program/*' First
echo "PASS with $(in_root -version 2>&1 | head -1)"
