# For scripts that try something on a Debian without our libraries. Sets `root` to a new directory, which
# ends with the script, and defines unpack. DEBIAN=trixie takes the packages of that release of Debian;
# by default they are those of this machine's release. Needs root on Debian.
if [[ $EUID -ne 0 ]] || ! command -v apt-get >/dev/null; then
  echo "$0 needs root on Debian"
  exit 2
fi

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
mkdir "$root/packages"
chmod 777 "$root/packages"  # apt-get downloads as another user
# Debian 13 has these links in place of the directories.
for name in bin lib lib64 sbin; do
  mkdir -p "$root/usr/$name"
  ln -s "usr/$name" "$root/$name"
done

if [[ -n ${DEBIAN:-} ]]; then
  mkdir -p "$root/apt"/{state/lists,cache/archives}/partial
  # The mirror from which this machine installs the packages of its own release.
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mirror=$(apt-get indextargets --format '$(SITE)' "Codename: $release" 'Created-By: Packages' | sed -n 1p)
  echo "deb $mirror $DEBIAN main" >"$root/apt/sources.list"
  export APT_CONFIG=$root/apt/apt.conf
  cat >"$APT_CONFIG" <<END
Dir::Etc::sourcelist "$root/apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State "$root/apt/state";
Dir::State::status "/dev/null";
Dir::Cache "$root/apt/cache";
END
  apt-get update -q >/dev/null
fi

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
