#!/usr/bin/env bash
# Fetches the AWS SDK for Java into a directory and compiles the tests there. If DOLMEN_IN_PROCESS names
# the directory of the packages, the tests use the package for Java in it.
# Usage: install.sh <directory>
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
directory=$1

# The script writes the file $done last. If this file is missing, the jars are missing
# or incomplete, or do not match their checksums.
done=$directory/jars.sha256
if ! cmp -s "$here/jars.sha256" "$done"; then
  rm -rf "$directory/installed"
  mvn -B -q -Dstyle.color=never -f "$here/pom.xml" dependency:copy-dependencies \
    -DoutputDirectory="$directory/installed"
  (cd "$directory/installed" && sha256sum --quiet --strict -c "$here/jars.sha256")
  cp "$here/jars.sha256" "$done"
fi

if [[ -n ${DOLMEN_IN_PROCESS:-} ]]; then
  way=in_process package=$DOLMEN_IN_PROCESS/java/lib
else
  way=over_http package=
fi
classes=$directory/$way
if [[ ! -d $classes || -n $(find "$here/src" "$done" $package -newer "$classes") ]]; then
  rm -rf "$classes"
  javac -Xlint:all,-processing,-classfile -Werror --release 17 -encoding UTF-8 -proc:none \
    -d "$classes" -cp "$directory/installed/*${package:+:$package/*}" "$here"/src/{directory,$way/directory}/*.java
fi

# Prints the artifactId and the version of each direct dependency in pom.xml. In pom.xml, the lines
# of a dependency are indented by six spaces, and the lines of its exclusions by more than six.
sed -n 's#^      <\(artifactId\|version\)>\(.*\)</.*#\2#p' "$here/pom.xml" |
  paste -d ' ' - - >"$directory/versions"
