// The table that an import makes if there is none.

#pragma once

#include <string>

#include "dolmen/create_table.h"
#include "dolmen/database.h"
#include "dolmen/tables.h"

namespace dolmen::command {

// "PK:S", or a name alone for a string.  kValidation: the type is not S, N or B.
Result<KeyAttribute> ParseKeyAttribute(const std::string& word);

// What a table that is to be made is like.
struct NewTable {
  CreateTableInput input = {};
  // In place of the input, unless empty: JSON, a CreateTable request or what DescribeTable answers,
  // with or without the "Table" around it.  The names in it, ARNs and what it costs don't matter.
  std::string schema = {};
  std::string schema_file = {};  // for messages
};

// Makes it, with the input's name. kValidation: it is refused, or the JSON is none; with a message.
Status MakeTable(const Database& database, const NewTable& table);

// What MakeTable would make; fails as it does.
Result<TableDescription> TryTable(const NewTable& table);

}  // namespace dolmen::command
