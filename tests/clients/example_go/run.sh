#!/usr/bin/env bash
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/../support/go_test.sh" "$1"
