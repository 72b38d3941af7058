#!/usr/bin/env bash
# Tests that a user of a Debian machine with only git and make can clone the repository, run the
# demo and run the tests. Needs root on Debian. The test machine is a directory that debootstrap
# fills from this machine's package sources.
# Usage: fresh_machine.sh [SUITE]    the suite is bookworm (Debian 12) or trixie (Debian 13)
set -euo pipefail
cd "$(dirname "$0")/.."
suite=${1:-bookworm}

if [[ $EUID -ne 0 ]] || ! command -v apt-get >/dev/null; then
  echo "fresh_machine.sh needs root on Debian"
  exit 2
fi
[[ -z $(git status --porcelain) ]] || echo "Note: uncommitted changes are not tested."
apt-get update -q
command -v debootstrap >/dev/null ||
  DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends debootstrap

machine=$(mktemp -d)
chmod 755 "$machine"  # users other than root need access to their root directory
finish() {
  local status=$?
  umount "$machine/proc" 2>/dev/null || true
  # If the unmount failed, rm must not enter the mounted file system.
  rm -rf --one-file-system "$machine"
  if [[ $status -eq 0 ]]; then echo "PASS"; else echo "FAIL"; fi
}
trap finish EXIT

# Takes over Debian's own package sources and the proxy settings of this machine. Leaves out
# third-party sources and apt hooks.
sources=$(apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
  'Created-By: Packages' 'Origin: Debian' | sort -u)
# shellcheck source=/dev/null
own=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(awk -v suite="$own" '$3 == suite { print $2; exit }' <<<"$sources")
if [[ $suite != "$own" ]]; then sources="deb $mirror $suite main"; fi
for scheme in http https; do
  proxy=
  eval "$(apt-config shell proxy Acquire::$scheme::Proxy)"
  if [[ -n $proxy ]]; then export "${scheme}_proxy=$proxy"; fi
done

debootstrap --variant=minbase --include=git,make,ca-certificates "$suite" "$machine" "$mirror"
printf '%s\n' "$sources" >"$machine/etc/apt/sources.list"
apt-config dump | grep '^Acquire::' | grep -v IndexTargets >"$machine/etc/apt/apt.conf.d/90host"
cp /etc/resolv.conf /etc/hosts "$machine/etc/"
mount -t proc proc "$machine/proc"

# Clones from a bundle, because the history of a git worktree lies outside its directory.
git bundle create -q "$machine/dolmen.bundle" HEAD
run() { chroot "$machine" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
run git clone -q /dolmen.bundle /dolmen
run make -C /dolmen demo
run make -C /dolmen test
