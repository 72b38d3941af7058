// The requests of CreateTable and UpdateTable.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/describe_table.h"
#include "dolmen/result.h"
#include "dolmen/update_table.h"
#include "wire/json.h"
#include "wire/shape.h"
#include "wire/table_json.h"

namespace dolmen::wire {

extern const Shape kCreateTableInput;

// Reads a CreateTable request. Checks the parts that the engine's CreateTable cannot check. After
// an error `input` is unspecified. The error has DynamoDB's message:
// - kValidation: the attribute definitions, the kinds of keys, the billing or the tags are invalid.
Status ReadCreateTable(const JsonObject& request, CreateTableInput* input);

// Reads a CreateTable request whose JSON has not been checked. Ignores unknown members.
// - kValidation: the types or constraints are wrong, or ReadCreateTable rejects the request.
Result<CreateTableInput> CheckAndReadCreateTable(const Json& request);

// Reads a text that is a CreateTable request, as CheckAndReadCreateTable does.
// - kValidation: the text is not JSON, or the request is rejected.
Result<CreateTableInput> ParseCreateTable(const std::string& request);

// Returns the request that creates the table. The table is billed by request. Its tags are those in the
// annotations that ReadCreateTable makes.
std::string CreateTableJson(const CreateTableInput& input);

// Reads a global index that CreateTable or UpdateTable creates. Does not read the index's
// throughput. After an error `index` is unspecified.
// - kValidation: the index's keys or its projection are invalid.
Status ReadGlobalIndex(const JsonObject& json, const AttributeDefinitions& definitions,
                       GlobalSecondaryIndex* index);

// Reads a local index. `table` holds the keys of its table. After an error `index` is unspecified.
// - kValidation: the index's keys or its projection are invalid.
Status ReadLocalIndex(const JsonObject& json, const AttributeDefinitions& definitions,
                      const CreateTableInput& table, LocalSecondaryIndex* index);

// Returns the structure's StreamSpecification with its retention (extensions.h), or nothing if it has
// none.
std::optional<StreamSpecification> ReadStreamSpecification(const JsonObject& structure);

// --- UpdateTable ---

extern const Shape kUpdateTableInput;

// Returns the request that changes the table. The definitions of attributes are those of a new index.
std::string UpdateTableJson(const UpdateTableInput& input);

// Checks the parts of the request that do not depend on the current table. The error has DynamoDB's
// message:
// - kValidation: the request is invalid for every table.
Status CheckUpdateTable(const JsonObject& request);

// Returns the changes to the table, including its annotations. `region` is the client's
// region, and `now` is the time of the change.
// - kValidation: the request is invalid for this table.
// - kLimitExceeded: the request creates or deletes more than one index.
// - kResourceNotFound: the request changes an index that does not exist.
//
// REQUIRES: CheckUpdateTable is ok
Result<UpdateTableInput> PlanUpdateTable(const JsonObject& request, const TableDescription& table,
                                         std::string_view region, Timestamp now);

}  // namespace dolmen::wire
