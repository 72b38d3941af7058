# Reports functions longer than function_max and files longer than file_max. Exits with 1 if there
# are any.
# Expects C++ in the form that clang-format writes: a space before a body's brace, no space before
# an initialiser's brace.
# A function's length runs from the first line of its declaration to its closing brace and includes
# lambdas.

function report(line, text) {
  print name ":" line ": " text
  failed = 1
}

function finish_file() {
  if (lines > file_max) report(1, lines " lines; the limit is " file_max)
  # Unbalanced braces would leave functions unmeasured, so they are an error.
  if (depth != 0) report(lines, "the braces of this file are not balanced")
}

function start_file() {
  if (lines > 0) finish_file()
  name = FILENAME == "" ? "-" : FILENAME
  depth = parens = inside = in_comment = in_directive = 0
  raw_end = statement = ""
}

# Returns the line without comments. String and character literals become empty.
function code_of(line,    out, at, token, before) {
  out = ""
  while (1) {
    if (in_comment) {
      if (!(at = index(line, "*/"))) return out
      line = substr(line, at + 2)
      in_comment = 0
    }
    if (raw_end != "") {
      if (!(at = index(line, raw_end))) return out
      line = substr(line, at + length(raw_end))
      raw_end = ""
    }
    if (!match(line, /"|'|\/\/|\/\*/)) return out line
    token = substr(line, RSTART, RLENGTH)
    before = out substr(line, 1, RSTART - 1)
    line = substr(line, RSTART + RLENGTH)
    if (token == "//") return before
    out = before
    if (token == "/*") {
      in_comment = 1
    } else if (token == "'" && before ~ /[0-9A-Fa-f]$/) {
      continue  # 10'000
    } else if (token == "\"" && before ~ /R$/) {
      at = index(line, "(")
      raw_end = ")" substr(line, 1, at - 1) "\""
      line = substr(line, at + 1)
    } else {
      # Skips to the closing quote, past escaped characters.
      if (token == "\"" && match(line, /^([^"\\]|\\.)*"/)) line = substr(line, RLENGTH + 1)
      if (token == "'" && match(line, /^([^'\\]|\\.)*'/)) line = substr(line, RLENGTH + 1)
      out = out token token
    }
  }
}

function without_template(text,    at, angles, c) {
  while (text ~ /^template *</) {
    angles = 0
    for (at = index(text, "<"); at <= length(text); ++at) {
      c = substr(text, at, 1)
      if (c == "(") ++angles
      if (c == ")") --angles
      if (c == "<") ++angles
      if (c == ">" && !(angles > 1 && substr(text, at - 1, 2) ~ /^[ -]>$/)) if (--angles == 0) break
    }
    text = substr(text, at + 1)
    sub(/^ +/, "", text)
  }
  return text
}

# Returns the kind of block that the next brace opens, which depends on the text before the brace.
function kind_of_brace(    text) {
  if (inside || parens > 0 || (depth > 0 && kind[depth] == "other")) return "other"
  if (statement ~ /[A-Za-z0-9_>\]({,]$/ || statement ~ /[=,(] *$/) return "other"
  text = without_template(statement)
  sub(/^((inline|static|constexpr|const|typedef) +)+/, "", text)
  if (text ~ /^(namespace|class|struct|union|enum)( |$)/ || text ~ /^extern "" *$/) return "container"
  return text ~ /[(\[]/ ? "function" : "other"
}

function open_brace() {
  kind[depth + 1] = kind_of_brace()
  ++depth
  started[depth] = statement_line
  if (kind[depth] == "function") inside = depth
  if (kind[depth] == "other") statement = statement "{"; else statement = ""
}

function close_brace() {
  if (kind[depth] == "function" && inside == depth) {
    inside = 0
    if (FNR - started[depth] + 1 > function_max)
      report(started[depth], "function of " FNR - started[depth] + 1 " lines; the limit is " function_max)
  }
  if (kind[depth] == "other" && !inside) statement = statement "}"; else statement = ""
  --depth
}

FNR == 1 { start_file() }

{
  lines = FNR
  code = code_of($0)
  if (in_directive || code ~ /^ *#/) {
    in_directive = $0 ~ /\\$/
    next
  }
  while (match(code, /[{}();:]/)) {
    token = substr(code, RSTART, 1)
    take(substr(code, 1, RSTART - 1))
    code = substr(code, RSTART + 1)
    if (token == "{") {
      open_brace()
    } else if (token == "}") {
      close_brace()
    } else if (token == ";" && parens == 0) {
      statement = ""
    } else if (token == ":" && statement ~ /^(public|private|protected)$/) {
      statement = ""
    } else if (!inside) {
      take(token)
    }
    if (token == "(") ++parens
    if (token == ")") --parens
  }
  take(code " ")
}

# Adds text to the current statement, which decides the kind of the next brace.
function take(text) {
  if (inside) return
  if (statement == "") {
    sub(/^ +/, "", text)
    statement_line = FNR
  }
  statement = statement text
}

END {
  if (lines > 0) finish_file()
  exit failed
}
