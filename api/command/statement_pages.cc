#include "command/statement_pages.h"

#include <algorithm>
#include <span>

#include "command/item_printer.h"
#include "command/statement_text.h"

namespace dolmen::command {
namespace {

void AddCost(const ConsumedCapacity& capacity, StatementCost* cost) {
  cost->units += capacity.total.units();
  cost->by_name[capacity.table_name] += capacity.table.units();
  for (const auto* indexes :
       {&capacity.global_secondary_indexes, &capacity.local_secondary_indexes}) {
    for (const auto& [index, units] : *indexes) cost->by_name[index] += units.units();
  }
}

}  // namespace

Status StatementPages::Read() {
  has_more_ = false;
  Status executed = database_.ExecuteStatement(input_, &output_);
  if (!executed.ok()) return executed.WithMessage(executed.ToString());
  if (const auto& capacity = output_.page.consumed_capacity()) AddCost(*capacity, &cost_);
  input_.next_token = output_.next_token;
  has_more_ = !input_.next_token.empty();
  return {};
}

namespace {

using Words = std::span<const StatementWord>;

// Returns the name under which the result has a path: its last name, with the list indexes after it.
std::string NameOf(Words path) {
  std::string indexes;
  while (path.size() >= 4 && IsMark(path.back(), "]") && IsMark(path[path.size() - 3], "[")) {
    const StatementWord& step = path[path.size() - 2];
    if (step.kind == StatementWord::Kind::kString) return step.Content() + indexes;
    indexes.insert(0, "[" + step.Content() + "]");
    path = path.first(path.size() - 3);
  }
  return path.empty() ? indexes : path.back().Content() + indexes;
}

// Returns the words between SELECT and FROM.
Words ListOf(Words words) {
  if (words.empty() || !IsKeyword(words[0], "SELECT")) return {};
  const auto from = std::ranges::find_if(
      words, [](const StatementWord& word) { return IsKeyword(word, "FROM"); });
  return words.subspan(1, static_cast<std::size_t>(from - words.begin()) - 1);
}

// Returns true if the items of the result have no key attributes: a plan, or RETURNING MODIFIED.
bool HasNoKeys(Words words) {
  return (!words.empty() && IsKeyword(words[0], "EXPLAIN")) ||
         std::ranges::any_of(words,
                             [](const StatementWord& word) { return IsKeyword(word, "MODIFIED"); });
}

}  // namespace

std::vector<std::string> StatementColumns(const Database& database, std::string_view statement) {
  const std::vector<StatementWord> words = StatementWords(statement);
  Words list = ListOf(words);
  if (list.empty() || IsMark(list[0], "*")) {
    if (HasNoKeys(words)) return {};
    const StatementTarget target = TargetOf(words);
    const auto table = database.DescribeTable(target.table, ContentSizes::kOmit);
    return table.ok() ? KeyColumns(*table, target.index) : std::vector<std::string>();
  }
  std::vector<std::string> columns;
  while (!list.empty()) {
    const auto comma =
        std::ranges::find_if(list, [](const StatementWord& word) { return IsMark(word, ","); });
    const auto length = static_cast<std::size_t>(comma - list.begin());
    columns.push_back(NameOf(list.first(length)));
    list = list.subspan(std::min(length + 1, list.size()));
  }
  return columns;
}

}  // namespace dolmen::command
