#include "command/statement_columns.h"

#include <algorithm>
#include <span>

#include "command/item_printer.h"
#include "command/statement_text.h"

namespace dolmen::command {
namespace {

using Tokens = std::span<const StatementToken>;

// Returns the name under which the result has a path: its last name, with the list indexes after it.
std::string NameOf(Tokens path) {
  std::string indexes;
  while (path.size() >= 4 && IsMark(path.back(), ']') && IsMark(path[path.size() - 3], '[')) {
    const StatementToken& step = path[path.size() - 2];
    if (step.kind == StatementToken::Kind::kString) return step.text + indexes;
    indexes.insert(0, "[" + step.text + "]");
    path = path.first(path.size() - 3);
  }
  return path.empty() ? indexes : path.back().text + indexes;
}

// Returns the tokens between SELECT and FROM.
Tokens ListOf(Tokens tokens) {
  if (tokens.empty() || !IsKeyword(tokens[0], "SELECT")) return {};
  const auto from = std::ranges::find_if(
      tokens, [](const StatementToken& token) { return IsKeyword(token, "FROM"); });
  return tokens.subspan(1, static_cast<std::size_t>(from - tokens.begin()) - 1);
}

// Returns true if the items of the result have no key attributes: a plan, or RETURNING MODIFIED.
bool HasNoKeys(Tokens tokens) {
  return (!tokens.empty() && IsKeyword(tokens[0], "EXPLAIN")) ||
         std::ranges::any_of(
             tokens, [](const StatementToken& token) { return IsKeyword(token, "MODIFIED"); });
}

}  // namespace

std::vector<std::string> StatementColumns(const Database& database, std::string_view statement) {
  const std::vector<StatementToken> tokens = TokensOf(statement);
  Tokens list = ListOf(tokens);
  if (list.empty() || IsMark(list[0], '*')) {
    if (HasNoKeys(tokens)) return {};
    const StatementTarget target = TargetOf(tokens);
    const auto table = database.DescribeTable(target.table, ContentSizes::kOmit);
    return table.ok() ? KeyColumns(*table, target.index) : std::vector<std::string>();
  }
  std::vector<std::string> columns;
  while (!list.empty()) {
    const auto comma =
        std::ranges::find_if(list, [](const StatementToken& token) { return IsMark(token, ','); });
    const auto length = static_cast<std::size_t>(comma - list.begin());
    columns.push_back(NameOf(list.first(length)));
    list = list.subspan(std::min(length + 1, list.size()));
  }
  return columns;
}

}  // namespace dolmen::command
