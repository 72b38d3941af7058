// Seeds: JSON texts with tables and their items, from which tests and examples fill a database.
//
//   {"Tables": [{"TableName": "app",
//                "BillingMode": "PAY_PER_REQUEST",
//                "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
//                "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
//                "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "expires"},
//                "Items": [{"PK": {"S": "USER#1"}, "age": {"N": "42"}}]}]}
//
// Each table is a request of CreateTable with up to two members in addition: Items holds items in
// DynamoDB's JSON, for example those of the output of `aws dynamodb scan`, and
// TimeToLiveSpecification is that of UpdateTimeToLive. Like dolmen/wire.h it belongs to a library of
// its own: link dolmen::wire.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <string_view>

#include "dolmen/database.h"

namespace dolmen {

// Creates the tables of a seed and stores their items. Reads data models of NoSQL Workbench, too, as
// LoadDataModel (workbench.h) does. After an error the database has none of the tables that the call
// created. Thread-safe.
// - kValidation: the text is no seed, or DynamoDB's rules reject a table or an item. The message names
//   the table.
// - kResourceInUse: a table of the seed exists in the database.
Status LoadSeed(const Database& database, std::string_view json);

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
