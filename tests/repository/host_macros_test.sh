#!/usr/bin/env bash
# Compiles a program whose macros have names that the API has, too. The arguments are the command of the compiler.
set -euo pipefail
"$@"
