#!/usr/bin/env bash
# Prints the code of a language in the README of the repository. Usage: readme_block.sh python|js|go
set -euo pipefail
awk -v start="\`\`\`$1" '$0 == start { inside = 1; next } $0 == "```" { inside = 0 } inside' \
  "$(dirname "$0")/../../../README.md"
