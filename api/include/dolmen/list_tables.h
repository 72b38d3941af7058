// The names of the tables of a database, page by page (Database::ListTables).
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListTables.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dolmen {

// A page of table names to list.
struct ListTablesInput {
  // The last_evaluated_table_name of the previous page; empty for the first page. The page begins
  // with the first name that sorts after this name. A table with the name in this field need not
  // exist.
  std::string exclusive_start_table_name = {};
  std::uint32_t limit = 100;  // 1 to 100 names
};

// A page of table names.
struct ListTablesOutput {
  std::vector<std::string> table_names = {};   // in byte order
  std::string last_evaluated_table_name = {};  // empty: this is the last page
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
