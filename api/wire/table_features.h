// The class and the encryption of a table. Dolmen stores them, but they have no effect.

#pragma once

#include "dolmen/attribute_value.h"
#include "dolmen/clock.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/names.h"

namespace dolmen::wire {

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

}  // namespace dolmen::wire
