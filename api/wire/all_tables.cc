#include "wire/all_tables.h"

#include <functional>
#include <string>

#include "engine/base/status_macros.h"

namespace dolmen::wire {

Status VisitTables(const Database& database, const std::function<Status(const Table&)>& visit) {
  ListTablesInput page;
  do {
    DOLMEN_ASSIGN_OR_RETURN(const ListTablesOutput& names, database.ListTables(page));
    for (const std::string& name : names.table_names) {
      const Result<Table> table = database.OpenTable(name);
      Status visited = table.ok() ? visit(*table) : table.status();
      if (visited.code() != StatusCode::kResourceNotFound) DOLMEN_RETURN_IF_ERROR(visited);
    }
    page.exclusive_start_table_name = names.last_evaluated_table_name;
  } while (!page.exclusive_start_table_name.empty());
  return {};
}

Result<std::uint64_t> ExpireAllTables(const Database& database) {
  std::uint64_t expired = 0;
  DOLMEN_RETURN_IF_ERROR(VisitTables(database, [&](const Table& table) {
    const auto deleted = table.ExpireNow();
    if (deleted.ok()) expired += *deleted;
    return deleted.status();
  }));
  return expired;
}

Status WaitForAllIndexes(const Database& database) {
  return VisitTables(database, [](const Table& table) { return table.WaitForIndexes(); });
}

}  // namespace dolmen::wire
