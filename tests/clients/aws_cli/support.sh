# Functions with which run.sh runs the `aws` command and compares its output. The variable `command`
# must hold the path of `aws`.

passed=0
failed=0

run() { # run [--streams] <arguments of aws dynamodb>
  local service=dynamodb
  if [[ $1 == --streams ]]; then
    service=dynamodbstreams
    shift
  fi
  "$command" "$service" "$@" --endpoint-url "$DOLMEN_ENDPOINT"
}

# Compares two JSON texts. Ignores the order of members. Two empty texts are equal.
same() {
  if [[ -z $1 || -z $2 ]]; then
    [[ -z $1 && -z $2 ]]
  else
    [[ $(jq -S . <<<"$1") == "$(jq -S . <<<"$2")" ]]
  fi
}

report() { # report <status> <name> <what was expected> <what was found>
  if (($1 == 0)); then
    ((++passed))
    echo "ok    $2"
  else
    ((++failed))
    printf 'FAIL  %s\n  expected %s\n  found    %s\n' "$2" "$3" "$4"
  fi
}

# expect <name> <JSON, or nothing> <arguments>: expects the command to succeed and print this.
expect() {
  local name=$1 expected=$2 found
  shift 2
  found=$(run "$@" 2>&1) && same "$found" "$expected"
  report $? "$name" "$expected" "$found"
}

# refuse <name> <error> <operation> <message> <arguments>: expects exit code 254 and this message.
refuse() {
  local name=$1 expected="254: An error occurred ($2) when calling the $3 operation: $4" found
  shift 4
  found=$(run "$@" 2>&1)
  found="$?: ${found#$'\n'}"
  [[ $found == "$expected" ]]
  report $? "$name" "$expected" "$found"
}
