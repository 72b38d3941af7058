#!/usr/bin/env bash
# Fetches the jars of a client for Java into a directory and compiles the tests there. The client's
# install.sh calls this script. If DOLMEN_IN_PROCESS names the directory of the packages, the tests use
# the package for Java in it.
# Usage: maven_install.sh CLIENT_DIR BUILD_DIR
set -euo pipefail
support=$(cd "$(dirname "$0")" && pwd)
client=$1
directory=$2

# The script writes the file $done last. If this file is missing, the jars are missing
# or incomplete, or do not match their checksums.
done=$directory/jars.sha256
if ! cmp -s "$client/jars.sha256" "$done"; then
  rm -rf "$directory/installed"
  mvn -B -q -Dstyle.color=never -f "$client/pom.xml" dependency:copy-dependencies \
    -DoutputDirectory="$directory/installed"
  (cd "$directory/installed" && sha256sum --quiet --strict -c "$client/jars.sha256")
  cp "$client/jars.sha256" "$done"
fi

# A client can have sources for only one of the two ways, in src/in_process and src/over_http.
if [[ -n ${DOLMEN_IN_PROCESS:-} ]]; then
  way=in_process other=over_http package=$DOLMEN_IN_PROCESS/java/lib
else
  way=over_http other=in_process package=
fi
mapfile -t sources < <(find "$client/src" "$support/RunTests.java" -name '*.java' \
  -not -path "$client/src/$other/*")
classes=$directory/$way
if [[ ! -d $classes || -n $(find "${sources[@]}" "$done" $package -newer "$classes") ]]; then
  rm -rf "$classes"
  javac -Xlint:all,-processing,-classfile -Werror --release 17 -encoding UTF-8 -proc:none \
    -d "$classes" -cp "$directory/installed/*${package:+:$package/*}" "${sources[@]}"
fi

# Prints the artifactId and the version of each direct dependency in pom.xml. In pom.xml, the lines
# of a dependency are indented by six spaces, and the lines of its exclusions by more than six.
sed -n 's#^      <\(artifactId\|version\)>\(.*\)</.*#\2#p' "$client/pom.xml" |
  paste -d ' ' - - >"$directory/versions"
