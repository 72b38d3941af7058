#!/usr/bin/env bash
# Builds the package. Writes OUT_DIR/java/repository, a repository of Maven that has the package,
# and OUT_DIR/java/lib, the package and the jars that it needs.
# `make packages` has built the C library before.
# Usage: package.sh C_LIBRARY_DIR OUT_DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
library=$1
mkdir -p "$2/java"
out=$(cd "$2/java" && pwd)

rm -rf "$out"/{repository,lib,resources,target/classes}
bundle=$out/resources/dolmen/linux-$(uname -m | tr _ -) # the name that JNA gives to the system
mkdir -p "$bundle" "$out/resources/META-INF/licenses"
cp "$library"/lib/* "$bundle"
ls "$library/lib" >"$bundle/files.txt"
cp "$library"/licenses/* "$out/resources/META-INF/licenses"

"$here/maven.sh" "$out" -q -Dmaven.test.skip=true deploy \
  -DaltDeploymentRepository="local::file://$out/repository" \
  dependency:copy-dependencies -DincludeArtifactIds=jna,gson -DoutputDirectory="$out/lib"
cp "$out"/target/dolmen-*.jar "$out/lib"
ls -l "$out"/lib/*
