#!/usr/bin/env bash
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/../support/npm_install.sh" "$here/../../../models/examples/javascript" "$1"
