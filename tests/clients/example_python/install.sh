#!/usr/bin/env bash
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/../support/pip_install.sh" "$here/../../../models/examples/python" "$1"
