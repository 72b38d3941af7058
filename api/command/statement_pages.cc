#include "command/statement_pages.h"

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

}  // namespace dolmen::command
