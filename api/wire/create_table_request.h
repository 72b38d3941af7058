// What requests say of tables and indexes that are to be made.

#pragma once

#include "dolmen/create_table.h"
#include "dolmen/status.h"
#include "wire/json.h"
#include "wire/key_schema.h"
#include "wire/shape.h"

namespace dolmen::wire {

extern const Shape kCreateTableInput;

// kValidation, with DynamoDB's message, for what is wrong with the request and what Dolmen's
// CreateTable does not see: definitions, kinds of keys, billing, tags.  Then `input` is
// unspecified.
Status ReadCreateTable(const JsonObject& request, CreateTableInput* input);

// A global index of CreateTable, or the one that UpdateTable makes, without its throughput.  As
// above.
Status ReadGlobalIndex(const JsonObject& json, const AttributeDefinitions& definitions,
                       GlobalSecondaryIndex* index);

// kValidation: an attribute is defined twice, or is none of `used`, the keys of a table and its
// indexes.
Status CheckAllUsed(const AttributeDefinitions& definitions, const std::vector<KeyAttribute>& used);

// The structure's StreamSpecification, if it has one.
std::optional<StreamSpecification> ReadStreamSpecification(const JsonObject& structure);

}  // namespace dolmen::wire
