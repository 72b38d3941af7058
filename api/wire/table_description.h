// The description of a table in responses.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/wire.h"
#include "wire/billing.h"
#include "wire/json_writer.h"
#include "wire/names.h"

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
// the table class. It does not use `context.warm`.
void WriteTable(const TableDescription& table, const DescriptionContext& context, JsonWriter* json);

// Writes the member Projection of an index.
void WriteProjection(ProjectionType type, const std::vector<std::string>& non_key_attributes,
                     JsonWriter* json);

// Returns the key attributes of the table and of its indexes. An attribute of several keys is
// listed several times.
std::vector<KeyAttribute> KeysOf(const TableDescription& table);

}  // namespace dolmen::wire
