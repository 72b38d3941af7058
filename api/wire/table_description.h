// The description of a table in responses.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/describe_table.h"
#include "dolmen/wire.h"
#include "wire/json_writer.h"
#include "wire/names.h"
#include "wire/table_json.h"
#include "wire/table_settings.h"

namespace dolmen::wire {

// The parts of a table's description that the table does not store.
struct DescriptionContext {
  TableStatus status = TableStatus::kActive;
  Timestamp now = {};
  Place place = {};
  WarmThroughput warm = WarmThroughput::kAlways;
};

// Writes the table as a value. As in DynamoDB, the description of a table that is being deleted
// lacks the keys, the creation time, WarmThroughput, the indexes, the stream, the encryption and
// the table class. It does not use `context.warm`. A stream whose retention is not 24 hours adds the
// member "Dolmen" (extensions.h).
void WriteTable(const TableDescription& table, const DescriptionContext& context, JsonWriter* json);

// Writes the member `name` with the enabled stream of the table. Writes nothing if no stream is
// enabled.
void WriteStreamSpecification(std::string_view name, const TableDescription& table,
                              JsonWriter* json);

// Writes the member AttributeDefinitions. An attribute of several keys is written once.
void WriteAttributeDefinitions(const std::vector<KeyAttribute>& attributes, JsonWriter* json);

// Writes the member Projection of a global or a local index.
template <typename Index>
void WriteProjection(const Index& index, JsonWriter* json) {
  kProjectionMember<Index>.write("Projection", index, json);
}
// Writes the members IndexName, KeySchema and Projection of a local index.
void WriteIndex(const KeyAttribute& partition_key, const LocalSecondaryIndex& index,
                JsonWriter* json);

// Returns the key attributes of the table and of its indexes. An attribute of several keys is
// listed several times.
std::vector<KeyAttribute> KeysOf(const TableDescription& table);

}  // namespace dolmen::wire
