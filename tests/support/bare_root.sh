# For scripts that try something on a Debian without our libraries. Sets `root` to a new directory, which
# ends with the script, and defines unpack. Needs root on Debian.
if [[ $EUID -ne 0 ]] || ! command -v apt-get >/dev/null; then
  echo "$0 needs root on Debian"
  exit 2
fi

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
mkdir "$root/packages"
chmod 777 "$root/packages"  # apt-get downloads as another user

# Unpacks Debian's packages with these names into `root`. Leaves out names of virtual packages.
unpack() {
  local name file
  (cd "$root/packages" && for name in "$@"; do
    apt-get download -q "$name" >/dev/null 2>&1 || true
  done)
  for file in "$root"/packages/*.deb; do dpkg-deb -x "$file" "$root"; done
}

# Prints the names of these packages and of all packages that they depend on, except those that no program
# needs to run.
with_dependencies() {
  apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
    --no-enhances "$@" | grep -E '^[a-z0-9.+-]+$' | sort -u |
    grep -vE '^(debconf.*|cdebconf|perl.*|libperl.*|dpkg|tar|awk|mawk|gawk|original-awk|debianutils)$'
}
