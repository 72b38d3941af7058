// Settings of DynamoDB's tables that have no effect in Dolmen: billing, class, encryption and tags.
// Dolmen stores them in the table's annotations and returns them as they were sent.

#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/clock.h"
#include "dolmen/database.h"
#include "dolmen/describe_table.h"
#include "wire/json.h"
#include "wire/json_writer.h"
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

}  // namespace dolmen::wire
