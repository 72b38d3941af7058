// A table's class and encryption, of which Dolmen takes no notice but to remember them.

#pragma once

#include "dolmen/attribute_value.h"
#include "dolmen/clock.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace dolmen::wire {

// TableClass and SSESpecification, if the request has them, into the table's settings.
void ReadTableFeatures(const JsonObject& request, Map* settings);

// The same when the table is changed, at that time.
void ChangeTableFeatures(const JsonObject& request, Timestamp now, Map* settings);

// TableClassSummary and SSEDescription, if there are any.
void WriteTableFeatures(const Map& settings, JsonWriter* json);

}  // namespace dolmen::wire
