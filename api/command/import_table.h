// The table that an import creates.

#pragma once

#include <optional>
#include <string>

#include "dolmen/create_table.h"
#include "dolmen/database.h"
#include "dolmen/describe_table.h"
#include "dolmen/time_to_live.h"

namespace dolmen::command {

// Parses "PK:S", or a name alone, whose type is then a string.
// - kValidation: the type is not S, N or B.
Result<KeyAttribute> ParseKeyAttribute(const std::string& word);

// The definition of a table to create.
struct NewTable {
  CreateTableInput input = {};
  // The definition of the table as JSON: a CreateTable request, the text of TableJson, or a response
  // of DescribeTable with or without "Table" around it. If not empty, it replaces all members of
  // `input` but the name. Names, ARNs and billing in the JSON are ignored.
  std::string schema = {};
  std::string schema_file = {};   // the file of the schema, for messages
  bool with_time_to_live = true;  // enable the time to live that the schema describes
};

// The requests that create a table.
struct NewTableRequests {
  CreateTableInput create = {};
  std::optional<TimeToLiveSpecification> time_to_live = {};
};

// Returns the requests.
// - kValidation: the schema describes no table. The message names the file of the schema.
Result<NewTableRequests> RequestsFor(const NewTable& table);

// Creates the table with the input's name.
// - kValidation: the table is rejected, or the schema is not a JSON object. Only this message names
//   the file of the schema.
// - The other errors of Database::CreateTable and Database::UpdateTimeToLive, unchanged.
Status CreateNewTable(const Database& database, const NewTable& table);
// Enables the time to live of the requests, if they have one.
Status EnableTimeToLive(const Database& database, const NewTableRequests& requests);

// Creates the table in a new database in memory. Fails as CreateNewTable does.
Result<Database> CreateInMemory(const NewTable& table);
// Returns the description of the table that CreateNewTable would create. Fails as CreateNewTable
// does.
Result<TableDescription> PreviewTable(const NewTable& table);

}  // namespace dolmen::command
