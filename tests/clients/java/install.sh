#!/usr/bin/env bash
# Fetches the AWS SDK for Java into a directory and compiles the tests there.
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

classes=$directory/classes
if [[ ! -d $classes || -n $(find "$here/src" "$done" -newer "$classes") ]]; then
  rm -rf "$classes"
  javac -Xlint:all,-processing,-classfile -Werror --release 17 -encoding UTF-8 -proc:none \
    -d "$classes" -cp "$directory/installed/*" "$here"/src/directory/*.java
fi

# Prints the artifactId and the version of each direct dependency in pom.xml. In pom.xml, the lines
# of a dependency are indented by six spaces, and the lines of its exclusions by more than six.
sed -n 's#^      <\(artifactId\|version\)>\(.*\)</.*#\2#p' "$here/pom.xml" |
  paste -d ' ' - - >"$directory/versions"
