// What DynamoDB's tables have and Dolmen's do not: how they are paid for, their class, their
// encryption, their tags.  It is told as it was said, and kept with the table, in its annotations.

#pragma once

#include <cstdint>
#include <mutex>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/clock.h"
#include "dolmen/tables.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/shape.h"

namespace dolmen::wire {

// Settings have the names and the form that DescribeTable gives them, and two of their own: "Tags",
// values by key, and "Indexes", what each global index has, by its name.  A table that has none,
// which is how a program makes them, is paid for by request.

// Held by whoever changes the settings of a table, from reading them to storing them: of all
// endpoints of the process, since several may be of one database.
std::unique_lock<std::mutex> LockSettings();

Map SettingsOf(const TableDescription& table);
void SetSettings(Map settings, Map* annotations);

// The map of that name; an empty one if there is none.
const Map& MapIn(const Map& map, std::string_view name);
// The same to be changed: it is made if there is none.
Map& MapToChange(Map* map, std::string_view name);
std::int64_t IntegerIn(const Map& map, std::string_view name);
std::string_view TextIn(const Map& map, std::string_view name);

// What is there already is replaced.
void Set(std::string_view name, AttributeValue value, Map* map);
// No error if there is none.
void Remove(std::string_view name, Map* map);
// The integers that the structure of that shape has.
void SetIntegers(const JsonObject& structure, const Shape& shape, Map* map);
// In seconds since 1970, as the JSON has it.
void SetTime(std::string_view name, Timestamp time, Map* map);

bool IsProvisioned(const Map& settings);

// Maps, texts, numbers and booleans as JSON without types.
void WritePlain(const AttributeValue& value, JsonWriter* json);

}  // namespace dolmen::wire
