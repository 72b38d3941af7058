#!/usr/bin/env bash
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/../support/maven_install.sh" "$here" "$1"
