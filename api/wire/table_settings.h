// Settings of DynamoDB's tables that have no effect in Dolmen: billing, class, encryption and tags.
// Dolmen checks them, stores them in the table's annotations and returns them as they were sent, because
// tools that create a table read its settings back and compare them.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BillingModeSummary.html

#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/clock.h"
#include "dolmen/database.h"
#include "dolmen/describe_table.h"
#include "dolmen/result.h"
#include "dolmen/update_table.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/names.h"
#include "wire/shape.h"

namespace dolmen::wire {

// The settings have the names and the form of DescribeTable's response, with two additions. "Tags"
// holds tag values by key. "Indexes" holds the settings of each global index by name. A table that
// a program created through the library has no settings and counts as PAY_PER_REQUEST.

// Returns a lock for a change of settings. The caller must hold the lock while it reads, changes
// and stores the settings. There is one lock for the whole process, because several endpoints may
// share a database.
std::unique_lock<std::mutex> LockSettings();

Map SettingsOf(const TableDescription& table);
Map& SettingsToChange(Map* annotations);
void SetSettings(Map settings, Map* annotations);
// Replaces the settings of the stored table that `table` describes. Fails as Database::UpdateTable
// does.
Status StoreSettings(const Database& database, const TableDescription& table, Map settings);

// Returns the map with the given name, or an empty map.
const Map& MapIn(const Map& map, std::string_view name);
// Returns the map with the given name. Creates the map if it does not exist.
Map& MapToChange(Map* map, std::string_view name);
std::int64_t IntegerIn(const Map& map, std::string_view name);
std::string_view TextIn(const Map& map, std::string_view name);

// Sets the entry with the given name to the value.
void Set(std::string_view name, AttributeValue value, Map* map);
// Removes the entry with the given name, if it exists.
void Remove(std::string_view name, Map* map);
// Copies the integer members of `structure`, whose shape is `shape`, to the map.
void SetIntegers(const JsonObject& structure, const Shape& shape, Map* map);
// Stores the time in seconds since 1970, as in DynamoDB's JSON.
void SetTime(std::string_view name, Timestamp time, Map* map);

bool IsProvisioned(const Map& settings);

// Return a value or a structure of a request in the form that WritePlain writes. A structure keeps
// the members that its shape declares.
// REQUIRES: `json` has the types of the shape, which has no maps and no attribute values
AttributeValue PlainOf(const Shape& shape, const Json& json);
Map PlainOf(const Shape& structure, const JsonObject& json);
// Write maps, lists, texts, numbers and booleans as plain JSON, without DynamoDB's types.
void WritePlain(const AttributeValue& value, JsonWriter* json);
std::string JsonOf(const Map& map);

// --- billing (billing.cc) ---

// Each function below fails only with kValidation, and with DynamoDB's message. After an error
// `settings` is unspecified.

// Reads the table's billing members of a CreateTable request and stores them in `settings`
// (table_settings.h). Does not read the billing of the indexes.
Status ReadBilling(const JsonObject& create_table, Map* settings);

// Reads the billing of a global index to create. `provisioned` is true if the table's mode is
// PROVISIONED.
Status ReadIndexBilling(bool provisioned, const JsonObject& index, Map* settings);

// Checks the parts of a billing change that do not depend on the table's current billing.
Status CheckBillingChange(const JsonObject& update_table);

// Changes the table's settings as the request says. A change of the table's mode to PAY_PER_REQUEST
// also removes the throughput of its indexes.
// REQUIRES: CheckBillingChange(update_table) is ok
Status ChangeBilling(const JsonObject& update_table, const TableDescription& table, Timestamp now,
                     Map* settings);

// Changes the settings of the global index that `update` names.
Status ChangeIndexBilling(bool provisioned, const JsonObject& update, Timestamp now, Map* settings);

// Changes the settings of a table that is restored: applies BillingModeOverride,
// ProvisionedThroughputOverride and OnDemandThroughputOverride.
Status OverrideBilling(const JsonObject& restore, Timestamp now, Map* settings);

// The responses that contain WarmThroughput.
enum class WarmThroughput : std::uint8_t {
  kNever,  // the response of DeleteTable
  kIfSet,  // the response of CreateTable, which contains it only if the request sets it, as UPDATING
  kAlways,  // all other responses
};

// Writes the member ProvisionedThroughput, the member OnDemandThroughput if it is set, and the
// member WarmThroughput as `warm` says. `settings` are the settings of a table or of an index. `provisioned` is
// true if the table's mode is PROVISIONED.
void WriteThroughput(const Map& settings, bool provisioned, Timestamp now, WarmThroughput warm,
                     JsonWriter* json);
// Writes the member BillingModeSummary. Writes nothing if the table has always been PROVISIONED.
// `created_at` is the time at which the table was created, or nothing in the response of CreateTable,
// which does not show it.
void WriteBillingMode(const Map& settings, std::optional<Timestamp> created_at, JsonWriter* json);

// --- the class, the encryption and the policy of a table ---

// Reads TableClass and SSESpecification, if the request has them, into the table's settings.
void ReadTableFeatures(const JsonObject& request, Map* settings);

// Reads TableClass and SSESpecification of a request that changes a table. `now` is the time of the
// change.
void ChangeTableFeatures(const JsonObject& request, Timestamp now, Map* settings);

// Writes TableClassSummary and SSEDescription, if they are set. `place` is the place of the
// encryption key.
void WriteTableFeatures(const Map& settings, const Place& place, JsonWriter* json);

// Changes the encryption settings of a table that is restored, if the request has
// SSESpecificationOverride.
void OverrideEncryption(const JsonObject& restore, Map* settings);

// Writes the member SSEDescription, if the settings have it.
void WriteEncryption(const Map& settings, const Place& place, JsonWriter* json);

// Stores the policy that a CreateTable request has for its table in the settings of this table.
// - kValidation: the policy is not a policy document.
Status ReadResourcePolicy(const JsonObject& create_table, Timestamp now, Map* settings);

// --- replicas (replicas.cc) ---

// Every region shows the tables of one database, so a replica is an entry in the table's description: a
// client of the replica's region reads and writes the table itself.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GlobalTables.html

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

// Writes the members that describe the replicas of the table with the name `table`. Writes nothing if
// the table has none. `place` is that of the client, and the replica in its region is left out.
void WriteReplicas(std::string_view table, const Map& settings, const Place& place,
                   JsonWriter* json);

}  // namespace dolmen::wire
