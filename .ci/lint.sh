#!/usr/bin/env bash
# Runs clang-tidy over sources of engine and api: over all, or over those that changed since a commit, also if
# only their header changed. The default is the commit at which HEAD left the main branch of origin, or else
# the tenth commit before HEAD. After MINUTES no other file is started, and the rest is named.
# Usage: lint.sh BUILD_DIRECTORY [--minutes=MINUTES] [all|COMMIT]
set -euo pipefail
build=$1 minutes=600
shift
if [[ ${1:-} == --minutes=* ]]; then
  minutes=${1#*=}
  shift
fi
since=${1:-}

if [[ -z $since ]]; then
  since=$(git merge-base HEAD origin/HEAD 2>/dev/null || true)
  if [[ -z $since || $since == "$(git rev-parse HEAD)" ]]; then
    since=$(git rev-list --first-parent --max-count=11 HEAD | tail -1)
  fi
fi
if [[ $since == all ]]; then
  names=$(git ls-files 'engine/*.cc' 'api/*.cc')
else
  echo "Sources that changed since $(git log -1 --format='%h, %s' "$since")"
  names=$(git diff --name-only "$since" -- engine api | sed -n 's/\.\(cc\|h\)$/.cc/p' | sort -u)
fi

# Prints the sources that this build compiles.
compiled() {
  python3 - "$build" <<'END'
import json, os, sys
for entry in json.load(open(f"{sys.argv[1]}/compile_commands.json", encoding="utf-8")):
    print(os.path.relpath(os.path.join(entry["directory"], entry["file"])))
END
}
sources=$(comm -12 <(sort <<<"$names") <(compiled | sort -u))
[[ -n $sources ]] || { echo "No source to check."; exit 0; }
echo "$(wc -l <<<"$sources") sources"

export build minutes begin=$EPOCHSECONDS
check() {
  if ((EPOCHSECONDS - begin >= minutes * 60)); then
    echo "NOT CHECKED, because $minutes minutes are over: $1"
  else
    clang-tidy-16 -quiet -p "$build" "$1" 2>/dev/null
  fi
}
export -f check
shuf <<<"$sources" | xargs -P "$(nproc)" -I{} bash -c 'check "$1"' _ {}
