// The table that an import makes if there is none.

#pragma once

#include <string>

#include "dolmen/create_table.h"
#include "dolmen/database.h"

namespace dolmen::server {

// "PK:S", or a name alone for a string.  kValidation: the type is not S, N or B.
Result<KeyAttribute> ParseKeyAttribute(const std::string& word);

// Makes a table of that name as the JSON says: a CreateTable request, or what DescribeTable
// answers, with or without the "Table" around it; the names in it, ARNs and what it costs don't
// matter. kValidation: the JSON is none, or DynamoDB would refuse it; with a message.
Status CreateTableOf(const Database& database, const std::string& table, const std::string& json);

}  // namespace dolmen::server
