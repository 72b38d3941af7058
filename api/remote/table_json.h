// Tables in the JSON of requests and responses.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/create_table.h"
#include "dolmen/describe_table.h"
#include "dolmen/result.h"
#include "dolmen/update_table.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace dolmen::remote {

// Writes the members of a CreateTable request. The table is billed by request. Its tags are those in
// the annotations that wire::ReadCreateTable makes.
void WriteCreateTable(const CreateTableInput& input, wire::JsonWriter* json);

// Writes the members of an UpdateTable request. The definitions of attributes are those of a new index.
void WriteUpdateTable(const UpdateTableInput& input, wire::JsonWriter* json);

// Writes a member with global or local indexes. Writes nothing if there are none.
void WriteGlobalIndexes(std::string_view member, const std::vector<GlobalSecondaryIndex>& indexes,
                        wire::JsonWriter* json);
void WriteLocalIndexes(std::string_view member, const KeyAttribute& partition_key,
                       const std::vector<LocalSecondaryIndex>& indexes, wire::JsonWriter* json);

// Reads a TableDescription. Sets `*arn` to TableArn.
// - kInternalServerError: the description lacks the keys, or contradicts itself.
Result<TableDescription> ReadTableDescription(const wire::JsonObject& json, std::string* arn);

}  // namespace dolmen::remote
