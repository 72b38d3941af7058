// The replicas of a table in other regions. Every region shows the tables of one database, so a
// replica is an entry in the table's description: a client of the replica's region reads and writes
// the table itself.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GlobalTables.html

#pragma once

#include <string_view>

#include "dolmen/describe_table.h"
#include "dolmen/result.h"
#include "dolmen/update_table.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/names.h"
#include "wire/shape.h"

namespace dolmen::wire {

// The shape of the member ReplicaUpdates of UpdateTable.
extern const Shape kReplicaUpdatesShape;

// Returns the regions of the table with the settings of each, by name. The region that the table was
// created in is included. Empty: the table has no replicas.
const Map& ReplicasOf(const Map& settings);

// Changes the table's settings as the member ReplicaUpdates says, if the request has it. The first
// replica also enables the table's stream, unless `update` changes the stream already. `region` is
// the region of the client, which is that of the table.
// - kValidation: the change is invalid for this table, or disables the stream of a table with
//   replicas.
Status ChangeReplicas(const JsonObject& update_table, std::string_view region,
                      const TableDescription& table, Map* settings, UpdateTableInput* update);

// Writes the members that describe the replicas. Writes nothing if the table has none. `region` is the
// region of the client, whose own replica is left out.
void WriteReplicas(const Map& settings, std::string_view region, JsonWriter* json);

}  // namespace dolmen::wire
